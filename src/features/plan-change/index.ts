export { planChange } from './change-plans.ts';
export { changePlansByItself } from './request-plan-change.ts';
