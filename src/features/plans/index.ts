export { planNotFound } from './errors.ts';
export { plansSection, serviceableZipsSection } from './fleet-plans.ts';
export { ratePlanGroupsSection } from './fleet-rate-plan-groups.ts';
export { needsQualification, type PlanRules, supportsModel } from './plan-rules.ts';
export { listPlanCodes, listPlans, type Plan } from './sql.ts';
export { findRatePlanGroups, listRatePlanGroupsOf } from './sql-group.ts';
export { findPlanRules, listServiceableZips } from './sql-rules.ts';
