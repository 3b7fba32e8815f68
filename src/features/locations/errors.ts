import { defineFaults, fault } from '../../platform/context/fault.ts';
import { deviceListFaults } from '../consents/index.ts';

const invalid = (message: string) => ({ status: 400, code: 'INVALID_PARAMETER', message });

/** The request errors of the location area. The interface defines the messages; clients compare them. */
export const locationFaults = defineFaults({
  ...deviceListFaults,
  unableToCancel: invalid('Unable to Cancel'),
  invalidJson: invalid('Invalid JSON.'),
  cacheUnavailable: fault(400, 'CACHE_UNAVAILABLE', 'Location cache has no data for this device'),
  consentFailed: invalid('Consent check failed'),
  accountNotFound: invalid('UWS verification failure (account not found)'),
  sessionExpired: invalid('UWS verification failure (The Session has expired.)'),
  deviceTypeFailed: invalid('Device type check failed'),
  invalidAccount: invalid('Invalid account name'),
  invalidAccuracyMode: invalid('Invalid accuracy mode.'),
  invalidCacheMode: invalid('Invalid cache mode'),
  inputBinding: invalid('Input Binding Error'),
  usageExceeded: invalid('Subscribed usage exceeded'),
  /** The position source answered that it has no location. */
  locationFailed: fault(400, 'INTERNAL_ERROR', 'Failed to get location'),
  verificationFailed: fault(400, 'INTERNAL_ERROR', 'Fail to verify device'),
  accessDenied: fault(401, 'INVALID_ACCESS', 'Access policy denied the operation'),
  internal: fault(500, 'INTERNAL_ERROR', 'Internal system error.'),
  /** The position source could not be reached. */
  sourceUnreachable: fault(500, 'INTERNAL_ERROR', 'Failed to get location'),
});
