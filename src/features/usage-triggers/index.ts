export {
  createTrigger as createUsageTrigger,
  deleteTrigger as deleteUsageTrigger,
  updateTrigger as updateUsageTrigger,
} from './change-triggers.ts';
export { fireUsageTriggers } from './fire-triggers.ts';
export { usageTriggersSection } from './fleet-usage-triggers.ts';
export {
  accountsOf as mayUseOf,
  listKept as listUsageTriggers,
  listTriggerFirings as listUsageFirings,
  type MayUse,
  requireReader as requireUsageReader,
} from './keep-triggers.ts';
export { WireDatedTrigger } from './schemas.ts';
export { toWireTrigger as toWireUsageTrigger } from './wire.ts';
