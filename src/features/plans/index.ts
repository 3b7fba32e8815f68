export { plansSection, serviceableZipsSection } from './fleet-plans.ts';
export { ratePlanGroupsSection } from './fleet-rate-plan-groups.ts';
export { listPlans, type Plan } from './sql.ts';
export { findRatePlanGroups, listRatePlanGroupsOf } from './sql-group.ts';
