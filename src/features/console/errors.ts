import { defineFaults, fault } from '../../platform/context/fault.ts';
import { forged } from '../../platform/http/own-pages.ts';

export const consoleFaults = defineFaults({
  forged,
  credentialsMissing: fault(400, 'credentials_missing', 'Give username and password, or operatorKey'),
  wrongKey: fault(400, 'key_invalid', 'The operator key is not known'),
  tooManyStreams: fault(429, 'streams_busy', 'Too many live connections are open'),
  noDevice: fault(404, 'device_unknown', 'The account has no such device'),
  billTooLarge: fault(400, 'bill_too_large', 'The bill of that month has more entries than can be shown'),
});
