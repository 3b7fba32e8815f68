import { defineFaults } from '../../platform/context/fault.ts';
import { forged } from '../../platform/http/own-pages.ts';

export const consoleFaults = defineFaults({
  forged,
  credentialsMissing: {
    status: 400,
    code: 'credentials_missing',
    message: 'Give username and password, or operatorKey',
  },
  wrongKey: { status: 400, code: 'key_invalid', message: 'The operator key is not known' },
  tooManyStreams: { status: 429, code: 'streams_busy', message: 'Too many live connections are open' },
  noDevice: { status: 404, code: 'device_unknown', message: 'The account has no such device' },
  noRequest: { status: 404, code: 'request_unknown', message: 'The account has no such request' },
  noDelivery: { status: 404, code: 'delivery_unknown', message: 'The account has no such callback' },
  payloadTooLarge: {
    status: 400,
    code: 'payload_too_large',
    message: 'A test event has 64 KiB at most',
  },
  billTooLarge: {
    status: 400,
    code: 'bill_too_large',
    message: 'The bill of that month has more entries than can be shown',
  },
});
