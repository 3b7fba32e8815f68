import { defineFaults, fault } from '../../platform/context/fault.ts';

export const requestLogFaults = defineFaults({
  noCall: fault(404, 'request_unknown', 'The log has no such request'),
  noAccount: fault(404, 'account_unknown', 'There is no such account'),
  badTime: fault(400, 'time_invalid', 'The time or duration cannot be read'),
  off: fault(409, 'request_log_off', 'LINEKEEPER_REQUEST_LOG is 0: no requests are logged'),
  tooMany: fault(409, 'recordings_full', 'The requests of 100 accounts are recorded already'),
});
