import { defineFaults } from '../../platform/context/fault.ts';
import { deviceListFaults } from '../consents/index.ts';

const invalid = (message: string) => ({ status: 400, code: 'INVALID_PARAMETER', message });

/** The request errors of the location area. Messages are the interface's words: clients compare them. */
export const locationFaults = defineFaults({
  ...deviceListFaults,
  unableToCancel: invalid('Unable to Cancel'),
  invalidJson: invalid('Invalid JSON.'),
  cacheUnavailable: {
    status: 400,
    code: 'CACHE_UNAVAILABLE',
    message: 'Location cache has no data for this device',
  },
  consentFailed: invalid('Consent check failed'),
  accountNotFound: invalid('UWS verification failure (account not found)'),
  sessionExpired: invalid('UWS verification failure (The Session has expired.)'),
  deviceTypeFailed: invalid('Device type check failed'),
  invalidAccount: invalid('Invalid account name'),
  invalidAccuracyMode: invalid('Invalid accuracy mode.'),
  invalidCacheMode: invalid('Invalid cache mode'),
  inputBinding: invalid('Input Binding Error'),
  usageExceeded: invalid('Subscribed usage exceeded'),
  /** The position source answered that it cannot tell. */
  locationFailed: { status: 400, code: 'INTERNAL_ERROR', message: 'Failed to get location' },
  verificationFailed: { status: 400, code: 'INTERNAL_ERROR', message: 'Fail to verify device' },
  accessDenied: { status: 401, code: 'INVALID_ACCESS', message: 'Access policy denied the operation' },
  internal: { status: 500, code: 'INTERNAL_ERROR', message: 'Internal system error.' },
  /** The position source could not be reached. */
  sourceUnreachable: { status: 500, code: 'INTERNAL_ERROR', message: 'Failed to get location' },
});
