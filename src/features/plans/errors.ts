import { faultsOf } from '../../platform/context/fault.ts';

/** Of a request that names a plan which nobody has. */
export const planNotFound = faultsOf('DeviceService').failed(
  '_servicePlan_.NotFound',
  'The service plan was not found',
);
