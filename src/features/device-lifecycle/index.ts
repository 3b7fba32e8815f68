export { changeState, followImportedStates } from './change-state.ts';
export { moveOpenSuspensions } from './move-suspensions.ts';
export { lifecycleOperations } from './operations.ts';
export { listSuspensionsOfDevice } from './sql-suspension.ts';
export { type SuspendFor, suspendDevices } from './suspend-devices.ts';
