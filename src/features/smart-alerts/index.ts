export { createAlertScheduler } from './alert-scheduler.ts';
export type { CountAlerts } from './record-events.ts';
export { leaveAccount } from './record-events.ts';
export { createRuleCache } from './rule-cache.ts';
export { listAlertMoments } from './sql-device-history.ts';
export { latestReadingsOf } from './sql-reading.ts';
export { type ReadingsPolicy, takeReadings } from './take-readings.ts';
