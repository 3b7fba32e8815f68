export { pricePlanTriggersSection } from './fleet-price-plan-triggers.ts';
export { deleteOrphanedTriggers } from './sql-version.ts';
