export { type PlanChangeWatcher, planChange } from './change-plans.ts';
export { changePlansByItself, type OwnPlanChange } from './change-plans-by-itself.ts';
