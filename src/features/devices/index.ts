export type { BeforeDeletion } from './before-deletion.ts';
export {
  DEVICE_STATES,
  type DeviceKey,
  type DeviceOnPlan,
  type DeviceState,
  type FleetDevice,
  type Simulation,
} from './device.ts';
export { devicesSection } from './fleet-devices.ts';
export { type Move, type MoveLines, moveDevices } from './owners/move-devices.ts';
export { deleteOldOwners, type OwnedAt } from './owners/sql-owner.ts';
export { readPlace } from './place/read-place.ts';
export { PlaceOfUse, WirePlace } from './place/schemas.ts';
export { upsertPlacesOfUse } from './place/sql.ts';
export { setPlans } from './plans/set-plans.ts';
export { listPlanChanges } from './plans/sql-plan.ts';
export {
  countPlanChanges,
  type DeviceMoment,
  deleteOldLineChanges,
  listArrivals,
  listPlansAt,
} from './plans/sql-plan-history.ts';
export { postProvisioningChanges } from './provisioning-changes.ts';
export { SimulationEntry } from './schemas.ts';
export {
  deleteDevice,
  deleteTracesOfAccount,
  erasePositionOfDevice,
  erasePositionsOfAccount,
  findDevice,
  findDeviceKey,
  findDeviceKeys,
  findDevicesOnPlans,
  listDevices,
  lockDevice,
} from './sql.ts';
export {
  addIdentifiers,
  addNumbers,
  deleteDevices,
  insertDevices,
  type LineNumbers,
  listTaken,
  setActive,
  setStates,
} from './sql-line.ts';
export { updateRecord } from './sql-record.ts';
export { listSimulations, updateSimulation } from './sql-simulation.ts';
