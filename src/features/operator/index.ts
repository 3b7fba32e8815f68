export { auditCalls } from './audit-calls.ts';
export { authenticateOperators, type FindOperator, makeOperatorKey, operatorFinder } from './keys.ts';
export { MOVED_ALONE } from './move-clock.ts';
export type { Simulator, SimulatorChange, SimulatorState } from './simulate-device.ts';
