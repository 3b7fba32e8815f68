export { changeState, followImportedStates } from './change-state.ts';
export { lifecycleOperations } from './operations.ts';
export { type SuspendFor, suspendDevices } from './suspend-devices.ts';
