export { acknowledgeAlerts } from './alerts/acknowledge-alerts.ts';
export { queryAlerts } from './alerts/query-alerts.ts';
export { type ReadingsPolicy, takeReadings } from './feeding/take-readings.ts';
export { WireAlert } from './schemas.ts';
export { type AlertWatcher, createAlertWatcher } from './watching/alert-watcher.ts';
export type { WatchDeps } from './watching/follow-due.ts';
export { createRuleShelf } from './watching/rule-shelf.ts';
export { latestReadingsOf } from './watching/sql-reading.ts';
