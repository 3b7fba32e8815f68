export { auditCalls } from './auditing/audit-calls.ts';
export { MOVED_ALONE } from './clock/move-clock.ts';
export { authenticateOperators, type FindOperator, operatorFinder } from './keys/authenticate-operator.ts';
export { makeOperatorKey } from './keys/create-key.ts';
export type { Simulator, SimulatorState, SimulatorWish } from './simulation/simulator.ts';
