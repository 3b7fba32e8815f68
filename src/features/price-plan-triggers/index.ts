export type { ActionPolicy } from './acting/action.ts';
export { endAction } from './acting/end-action.ts';
export { startActions } from './acting/start-actions.ts';
export { cyclesOf } from './evaluation/evaluate-batch.ts';
export { fireBatch } from './evaluation/fire.ts';
export { pricePlanTriggersSection } from './fleet-price-plan-triggers.ts';
export { followGroups, followPlans } from './levels/follow-catalogue.ts';
export { deleteOrphanedTriggers } from './sql-version.ts';
