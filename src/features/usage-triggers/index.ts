export { createTrigger as createUsageTrigger } from './create-trigger.ts';
export { deleteTrigger as deleteUsageTrigger } from './delete-trigger.ts';
export { fireUsageTriggers } from './fire-triggers.ts';
export { usageTriggersSection } from './fleet-usage-triggers.ts';
export {
  accountsOf,
  listKept as listUsageTriggers,
  type MayUse,
  requireReader as requireUsageReader,
} from './keep-triggers.ts';
export { listTriggerFirings as listUsageFirings } from './list-firings.ts';
export * as usageTriggerSchemas from './schemas.ts';
export { updateTrigger as updateUsageTrigger } from './update-trigger.ts';
export { toWireTrigger as toWireUsageTrigger } from './wire.ts';
