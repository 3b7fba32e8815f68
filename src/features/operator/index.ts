export { auditCalls } from './audit-calls.ts';
export { deleteWithLines } from './erase.ts';
export { authenticateOperators, type FindOperator, makeOperatorKey, operatorFinder } from './keys.ts';
export { MOVED_ALONE } from './sandbox/move-clock.ts';
export {
  type ScenarioEvent,
  type ScenarioRun,
  type Scenarios,
  scenarioFaults,
} from './sandbox/routes-scenarios.ts';
export { type Asking, type Snapshot, type Snapshots, snapshotFaults } from './sandbox/routes-snapshots.ts';
export type { Simulator, SimulatorChange, SimulatorState } from './sandbox/simulate-device.ts';
export { copyKeys, replaceKeys } from './sql.ts';
