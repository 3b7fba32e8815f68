import { defineFaults, faultsOf } from '../../platform/context/fault.ts';

const { invalid, failed } = faultsOf('DeviceService');

export const billingFaults = defineFaults({
  lineLevelMissing: invalid('LineLevel.NotDefined', 'lineLevel is a required field'),
  lineLevelNeeded: invalid('LineLevel.Invalid', 'lineLevel must be true where deviceIds are given'),
  badCycle: invalid('BillingCycle.Invalid', 'The billing cycle is not valid'),
  badTime: invalid('Time.Invalid', 'The time is not valid'),
  conflict: invalid('Device.Conflict', 'Give deviceId, deviceIds or label, and not two of them'),
  noDevices: invalid('DeviceNotProvided', 'No device was given'),
  tooManyDevices: invalid('MaxRequestsExceeded', 'At most 10,000 devices can be given'),
  badKind: invalid('Device.Kind.Invalid', 'The kind of device identifier is not valid here'),
  badIdentifier: invalid('Device.Identifier.Invalid', 'The device identifier does not fit its kind'),
  labelWithApn: invalid(
    'Label.Invalid',
    'A label is not valid for an account with real-time rating, whose usage is by APN',
  ),
  noGroup: failed('DeviceGroupNotFound', 'The device group was not found'),
  deviceNotFound: failed('DeviceNotFound', 'The device was not found in the account'),
  recordsGone: failed(
    'RecordsNotKept',
    'The usage records of single lines are no longer kept for all of that time',
  ),
  tooLarge: failed(
    'SummaryTooLarge',
    'The summary has more entries than can be delivered; ask for a shorter time or for single devices',
  ),
  unexpected: { ...failed('UnexpectedError', 'The summary could not be made'), status: 500 },
  tooManyRequests: {
    ...failed('TooManyRequests', 'Too many requests of the account are under way'),
    status: 429,
  },
});
