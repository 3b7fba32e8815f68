import { defineFaults } from '../../platform/fault.ts';

const invalid = (message: string) => ({ status: 400, code: 'INVALID_PARAMETER', message });

/** The request errors of the location area. Messages are the interface's words: clients compare them. */
export const locationFaults = defineFaults({
  unableToCancel: invalid('Unable to Cancel'),
  invalidJson: invalid('Invalid JSON.'),
  deviceNotFound: invalid('Device not found'),
  cacheUnavailable: {
    status: 400,
    code: 'CACHE_UNAVAILABLE',
    message: 'Location cache has no data for this device',
  },
  conflictingList: invalid('Conflicting device list'),
  consentFailed: invalid('Consent check failed'),
  ownershipFailed: invalid('Ownership or MDN validation failed'),
  accountNotFound: invalid('UWS verification failure (account not found)'),
  sessionExpired: invalid('UWS verification failure (The Session has expired.)'),
  deviceTypeFailed: invalid('Device type check failed'),
  invalidAccount: invalid('Invalid account name'),
  unregisteredAccount: invalid('Unregistered account'),
  invalidAccuracyMode: invalid('Invalid accuracy mode.'),
  invalidCacheMode: invalid('Invalid cache mode'),
  emptyDeviceList: invalid('Empty device list'),
  tooManyDevices: invalid('Per request max devices exceeded'),
  duplicateDevices: invalid('Duplicate devices in deviceList.'),
  inputBinding: invalid('Input Binding Error'),
  invalidDeviceKind: invalid('Invalid device kind'),
  badDeviceId: invalid('Invalid device ID format'),
  usageExceeded: invalid('Subscribed usage exceeded'),
  /** The position source answered that it cannot tell. */
  locationFailed: { status: 400, code: 'INTERNAL_ERROR', message: 'Failed to get location' },
  verificationFailed: { status: 400, code: 'INTERNAL_ERROR', message: 'Fail to verify device' },
  accessDenied: { status: 401, code: 'INVALID_ACCESS', message: 'Access policy denied the operation' },
  internal: { status: 500, code: 'INTERNAL_ERROR', message: 'Internal system error.' },
  /** The position source could not be reached. */
  sourceUnreachable: { status: 500, code: 'INTERNAL_ERROR', message: 'Failed to get location' },
});
