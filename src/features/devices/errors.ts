import { defineFaults, faultsOf } from '../../platform/context/fault.ts';
import { planNotFound } from '../plans/index.ts';

const { invalid, failed } = faultsOf('DeviceService');

/** Errors in the request of a listing. */
export const listingFaults = defineFaults({
  badKind: invalid('Device.Kind.Invalid', 'The kind of device identifier is not valid'),
  badIdentifier: invalid('Device.Identifier.Invalid', 'The device identifier does not fit its kind'),
  badState: invalid('DeviceState.Invalid', 'The device state is not valid'),
  badTime: invalid('Time.Invalid', 'The time is not valid'),
  badFilter: invalid('Filter.Invalid', 'A filter needs contains, startswith or endswith'),
  badCustomField: invalid('CustomField.InvalidName', 'Custom fields are CustomField1 to CustomField5'),
  badLastSeen: invalid(
    'LargestDeviceIdSeen.Invalid',
    'largestDeviceIdSeen is neither what an answer gave nor an identifier of a device of the account',
  ),
  deviceNotFound: failed('DeviceNotFound', 'The device was not found in the account'),
  groupNotFound: failed('DeviceGroupNotFound', 'The device group was not found'),
  planNotFound,
});

/** Errors in a place of use. The reason names the field and the device. */
export const placeFaults = defineFaults({
  badAddress: invalid('Address.Invalid', 'A primary place of use has no valid address'),
  badName: invalid('CustomerName.Invalid', 'A primary place of use has no valid customer name'),
});
