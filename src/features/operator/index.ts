export { auditCalls } from './audit-calls.ts';
export { authenticateOperators, type FindOperator, makeOperatorKey, operatorFinder } from './keys.ts';
export {
  type ClockDeps,
  getClock,
  MOVED_ALONE,
  MoveBody,
  moveClock,
  requireAdminToReset,
  WireClock,
  WireMove,
} from './move-clock.ts';
export { WireAuditEntry } from './schemas.ts';
export type { Simulator, SimulatorChange, SimulatorState } from './simulate-device.ts';
