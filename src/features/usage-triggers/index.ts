export { fireUsageTriggers } from './fire-triggers.ts';
export { usageTriggersSection } from './fleet-usage-triggers.ts';
export { countUsageTriggersOf, listUsageTriggerNames } from './sql.ts';
