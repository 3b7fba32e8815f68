import { defineFaults } from '../../platform/context/fault.ts';

const refusal = (message: string) => ({ status: 400, code: 'PARAMETER_ERROR', message });
const invalid = (message: string) => ({ status: 400, code: 'INVALID_PARAMETER', message });

/** The interface's table for changes of the exclusion list. Their other refusals get its code from `exclusionDialect`. */
export const consentFaults = defineFaults({
  ownershipFailed: refusal('Ownership or MDN validation failed'),
  conflictingList: refusal('Conflicting device list'),
  tooManyExclusions: refusal('Max exclusion devices over limit'),
  badDeviceId: refusal('Invalid device ID format.'),
  duplicateExclusions: refusal('Duplicate exclusion devices.'),
  /** Not in the interface's table, which has a similar row for every other mode of a request. */
  invalidLevel: invalid('Invalid consent level'),
});

/** Errors in an account or a list of devices, for every call of the location area except changes of the exclusion list. */
export const deviceListFaults = defineFaults({
  unregisteredAccount: invalid('Unregistered account'),
  conflictingList: invalid('Conflicting device list'),
  emptyDeviceList: invalid('Empty device list'),
  tooManyDevices: invalid('Per request max devices exceeded'),
  duplicateDevices: invalid('Duplicate devices in deviceList.'),
  invalidDeviceKind: invalid('Invalid device kind'),
  badDeviceId: invalid('Invalid device ID format'),
  deviceNotFound: invalid('Device not found'),
  ownershipFailed: invalid('Ownership or MDN validation failed'),
});
