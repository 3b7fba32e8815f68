import { faultsOf } from '../../platform/context/fault.ts';

/** The error for a request that names an unknown plan. */
export const planNotFound = faultsOf('DeviceService').failed(
  '_servicePlan_.NotFound',
  'The service plan was not found',
);
