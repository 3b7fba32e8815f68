export {
  type CarrierOperation,
  DEVICES_MAX,
  defineAsked,
  defineOperation,
  type LockedDevice,
  type Outcome,
  type RequestLimits,
  type SettledLines,
  type WorkedRequest,
} from './carrier-operation.ts';
export { type Creation, createRequest, createRequestFor, type WorkJob } from './create-request.ts';
export { carrierFaults, type DeviceFault, deviceFaults, toDeviceFault } from './errors.ts';
export type { FindProgress } from './get-progress.ts';
export {
  parseDevices,
  parseList,
  parseNamed,
  parseSelection,
  refuseEmpty,
  refuseFilters,
  type Selection,
  wordOf,
} from './parse-selection.ts';
export { Accepted, DeviceIds, DeviceList, ListFields, RefusedFilters, SelectionFields } from './schemas.ts';
export { settleHeldLater } from './settle-held.ts';
export { listRequestedDevices, lockDevices } from './sql-device.ts';
export {
  deleteRequestsOfAccount,
  findEndedMark,
  hasOpenRequests,
  listRequestsOfDevice,
  lockAccountOfDevices,
} from './sql-request.ts';
