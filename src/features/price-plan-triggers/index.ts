export { cyclesOf } from './evaluation/evaluate-batch.ts';
export { fireBatch } from './evaluation/fire.ts';
export { pricePlanTriggersSection } from './fleet-price-plan-triggers.ts';
export { followGroups, followPlans } from './levels/follow-catalogue.ts';
export { deleteOrphanedTriggers } from './sql-version.ts';
export { tellFirings } from './telling/tell-firings.ts';
export { noticeThrottling } from './telling/throttling/notice-throttling.ts';
