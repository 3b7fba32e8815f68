export { auditCalls } from './auditing/audit-calls.ts';
export {
  type ClockDeps,
  MOVED_ALONE,
  MoveBody,
  moveClock,
  readClock,
  WireClock,
  WireMove,
} from './clock/move-clock.ts';
export { requireAdminToReset } from './clock/require-admin.ts';
export { authenticateOperators, type FindOperator, operatorFinder } from './keys/authenticate-operator.ts';
export { makeOperatorKey } from './keys/create-key.ts';
export { WireAuditEntry } from './schemas.ts';
export type { Simulator, SimulatorState, SimulatorWish } from './simulation/simulator.ts';
