export { fireUsageTriggers } from './fire-triggers.ts';
export { usageTriggersSection } from './fleet-usage-triggers.ts';
export { accountsOf as mayUseOf, listKept as listUsageTriggers } from './keep-triggers.ts';
export { WireDatedTrigger } from './schemas.ts';
export { countUsageTriggersOf, listUsageTriggerNames } from './sql.ts';
export { toWireTrigger as toWireUsageTrigger } from './wire.ts';
