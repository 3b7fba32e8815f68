export {
  type BeforeDeletion,
  DEVICE_STATES,
  type DeviceKey,
  type DeviceOnPlan,
  type DeviceState,
  type FleetDevice,
  type SimulatedOrders,
  type Simulation,
} from './device.ts';
export { devicesSection } from './fleet-devices.ts';
export { labelDevices } from './label-devices.ts';
export { type Move, type MoveLines, moveDevices } from './move-devices.ts';
export { parsePlace } from './place/place-of-use.ts';
export { PlaceOfUse, WirePlace } from './place/schemas.ts';
export { postProvisioningChanges } from './provisioning-changes.ts';
export { OrdersEntry, SimulationEntry } from './schemas.ts';
export {
  deleteLinesOfAccount,
  deleteTracesOfAccount,
  findDevice,
  findDeviceKey,
  findDeviceKeys,
  findDevicesOnPlans,
  listDevices,
  lockDevice,
} from './sql.ts';
export {
  deleteOldLeftLines,
  deleteOldLineChanges,
  deleteOldOwners,
  type HeldSpan,
  listFormerHolders,
  unnestSpans,
} from './sql-history.ts';
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
export { isConnected } from './sql-listing.ts';
export { listDeviceNames, listNamesInProfile, listNamesOfDevices, SHOWN_NAME } from './sql-name.ts';
export {
  countDevicesInGroup,
  countDevicesOfProfile,
  countDevicesOnPlan,
  countPlanChanges,
  LINES_COUNTED,
  listArrivals,
  listPlansAt,
  setPlans,
} from './sql-plan.ts';
export { updateRecord, upsertPlacesOfUse } from './sql-record.ts';
export {
  erasePositionOfDevice,
  erasePositionsOfAccount,
  listOrderSimulations,
  listOrderSimulationsByImsi,
  listSimulations,
  updateSimulations,
} from './sql-simulation.ts';
