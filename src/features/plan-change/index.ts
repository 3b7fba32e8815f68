export { type PlanChangeWatcher, planChange } from './change-plans.ts';
export { changePlansByItself, type OwnPlanChange } from './request-plan-change.ts';
