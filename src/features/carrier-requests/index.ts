export {
  type CarrierOperation,
  defineOperation,
  type EndedRequest,
  type LockedDevice,
  type OnEnded,
  type Outcome,
  type UnknownDevice,
  type WorkedRequest,
} from './carrier-operation.ts';
export { DEVICES_MAX, REQUEST_LIMITS, type RequestLimits, type RequestProgress } from './carrier-request.ts';
export { createRequest, createRequestFor, type WorkJob } from './create-request.ts';
export { type DeviceFault, toDeviceFault } from './device-fault.ts';
export { carrierFaults, deviceFaults } from './errors.ts';
export {
  type NamedDevices,
  readDevices,
  readList,
  readNamed,
  readSelection,
  refuseEmpty,
  refuseFilters,
  type Selection,
  wordOf,
} from './read-selection.ts';
export type { FindProgress } from './read-status.ts';
export { Accepted, DeviceIds, DeviceList, ListFields, RefusedFilters, SelectionFields } from './schemas.ts';
export { listFailures, lockDevices } from './sql-device.ts';
export {
  deleteRequestDevicesOfAccount,
  hasOpenRequests,
  listRequestsOfDevice,
  lockAccountOfDevices,
} from './sql-request.ts';
