export { auditCalls } from './auditing/audit-calls.ts';
export { authenticateOperators, type FindOperator, operatorFinder } from './authenticate-operator.ts';
export {
  type ClockDeps,
  MOVED_ALONE,
  MoveBody,
  moveClock,
  readClock,
  WireClock,
  WireMove,
} from './clock/move-clock.ts';
export type { Simulator, SimulatorState, SimulatorWish } from './routes-simulation.ts';
export { WireAuditEntry } from './schemas.ts';
