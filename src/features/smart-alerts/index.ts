export type { CountAlerts } from './alerts/record-events.ts';
export { type ReadingsPolicy, takeReadings } from './feeding/take-readings.ts';
export { leaveAccount } from './leave-account.ts';
export { type AlertWatcher, createAlertWatcher } from './watching/alert-watcher.ts';
export type { WatchDeps } from './watching/follow-due.ts';
export { createRuleShelf } from './watching/rule-shelf.ts';
export { latestReadingsOf } from './watching/sql-reading.ts';
