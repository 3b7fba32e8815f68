import { defineFaults } from '../../platform/context/fault.ts';

export const requestLogFaults = defineFaults({
  noCall: { status: 404, code: 'request_unknown', message: 'The log has no such request' },
  noAccount: { status: 404, code: 'account_unknown', message: 'There is no such account' },
  badTime: { status: 400, code: 'time_invalid', message: 'The time or duration cannot be read' },
  off: {
    status: 409,
    code: 'request_log_off',
    message: 'LINEKEEPER_REQUEST_LOG is 0: no requests are logged',
  },
  tooMany: {
    status: 409,
    code: 'recordings_full',
    message: 'The requests of 100 accounts are recorded already',
  },
});
