export { applyImportedStates, changeState, moveOpenSuspensions } from './change-state.ts';
export { lifecycleOperations } from './operations.ts';
export { listSuspensionsOfDevice } from './sql-suspension.ts';
export { isExpired, suspendDevices } from './suspend-devices.ts';
