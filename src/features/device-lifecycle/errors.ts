import { defineFaults, faultsOf } from '../../platform/context/fault.ts';
import { planNotFound } from '../plans/index.ts';

const { invalid, failed } = faultsOf('DeviceService');

export const lifecycleFaults = defineFaults({
  planNotFound,
  badZipCode: invalid('MdnZipCode.Invalid', 'mdnZipCode must be a ZIP code of 5 digits'),
  badIpAddress: invalid('IpAddress.Invalid', 'ipAddress is no IPv4 address that a line can have'),
  badReasonCode: invalid('ReasonCode.Invalid', 'The only reason code is FF'),
});

/** Faults that a callback reports for one device. */
export const transitionFaults = defineFaults({
  alreadyActive: failed('DeviceAlreadyActive', 'Device is already active'),
  alreadySuspended: invalid('DeviceState.Invalid', 'Device is already suspended'),
  wrongState: invalid('DeviceState.Invalid', 'The state of the device does not allow it'),
  notSupported: failed('DeviceNotSupported', 'The service plan does not support the device'),
  ipAddressTaken: failed('IpAddressNotAvailable', 'Another line has the IP address'),
  addressNotQualified: failed('AddressNotQualified', 'The plan is not available at the primary place of use'),
  expired: failed('SuspensionExpired', 'The suspension would have ended before it began'),
  noDaysLeft: failed('SuspendDaysExceeded', 'No days are left for which the device can be suspended'),
});
