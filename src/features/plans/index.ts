export { plansSection, serviceableZipsSection } from './fleet-plans.ts';
export { ratePlanGroupsSection } from './fleet-rate-plan-groups.ts';
export { listPlans, type Plan, planExists } from './sql.ts';
export { findRatePlanGroups, listRatePlanGroupsOf } from './sql-group.ts';
export { findPlanRules, listServiceableZips, type PlanRules } from './sql-rules.ts';
