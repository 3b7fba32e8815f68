export type { DeviceKey, FleetDevice, Simulation } from './device.ts';
export { devicesSection } from './fleet-devices.ts';
export { SimulationEntry } from './schemas.ts';
export { setPlans } from './set-plans.ts';
export {
  deleteDevice,
  deleteIdentifiersOfAccount,
  erasePositionOfDevice,
  erasePositionsOfAccount,
  findDevice,
  findDeviceKey,
  listDevices,
  lockDevice,
} from './sql.ts';
export { listPlanChanges } from './sql-plan.ts';
export { countPlanChanges, type DeviceMoment, listPlansAt } from './sql-plan-history.ts';
export { listSimulations, updateSimulation } from './sql-simulation.ts';
