export { acknowledgeAlerts } from './acknowledge-alerts.ts';
export { type AlertScheduler, createAlertScheduler } from './alert-scheduler.ts';
export { queryAlerts } from './query-alerts.ts';
export type { CountAlerts } from './record-events.ts';
export { leaveAccount } from './record-events.ts';
export { createRuleCache } from './rule-cache.ts';
export { WireAlert } from './schemas.ts';
export { latestReadingsOf } from './sql-reading.ts';
export { type ReadingsPolicy, takeReadings } from './take-readings.ts';
