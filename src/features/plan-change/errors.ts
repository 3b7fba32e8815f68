import { defineFaults, faultsOf } from '../../platform/context/fault.ts';
import { planNotFound } from '../plans/index.ts';

const { invalid, failed } = faultsOf('DeviceService');

/** Refusals of a plan change before it is accepted. */
export const planChangeFaults = defineFaults({
  planNotFound,
  currentPlanNotFound: failed('_currentServicePlan_.NotFound', 'The service plan was not found'),
  noneOnCurrentPlan: failed(
    '_currentServicePlan_.NoMatch',
    'No device of the request is on currentServicePlan',
  ),
  takeEffectNotSupported: invalid('TakeEffect.NotSupported', 'A change of plan takes effect at once'),
});

/** Faults that a callback reports for a device whose plan was not changed. */
export const planDeviceFaults = defineFaults({
  suspended: invalid('DeviceState.Invalid', 'The plan of a suspended device cannot be changed'),
  notActive: invalid('DeviceState.Invalid', 'Only the plan of an active device can be changed'),
  otaMissing: failed(
    'OtaUpdateRequired',
    'The device was activated by SKU and needs an over-the-air SIM update first',
  ),
  notOnCurrentPlan: failed('_currentServicePlan_.NoMatch', 'The device is not on currentServicePlan'),
  notSupported: failed('DeviceNotSupported', 'The service plan does not support the device'),
  addressMissing: failed('AddressNotQualified', 'The plan needs a primary place of use, and none was given'),
  addressNotQualified: failed('AddressNotQualified', 'The plan is not available at the primary place of use'),
  tooManyChanges: failed('PlanChangeLimit', 'The plan of a device can be changed four times a month'),
});
