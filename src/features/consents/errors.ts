import { defineFaults } from '../../platform/fault.ts';

const refusal = (message: string) => ({ status: 400, code: 'PARAMETER_ERROR', message });

/** Changing the exclusion list has a code of its own; the rest of the location area says INVALID_PARAMETER. */
export const consentFaults = defineFaults({
  ownershipFailed: refusal('Ownership or MDN validation failed'),
  conflictingList: refusal('Conflicting device list'),
  tooManyExclusions: refusal('Max exclusion devices over limit'),
  badDeviceId: refusal('Invalid device ID format.'),
  duplicateExclusions: refusal('Duplicate exclusion devices.'),
});
