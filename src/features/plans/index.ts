export { planNotFound } from './errors.ts';
export { plansSection, serviceableZipsSection } from './fleet-plans.ts';
export { ratePlanGroupsSection } from './fleet-rate-plan-groups.ts';
export {
  type CataloguePlan,
  findPlanRules,
  findRatePlanGroups,
  listCatalogue,
  listPlanCodes,
  listPlans,
  listRatePlanGroups,
  listRatePlanGroupsOf,
  listServiceableZips,
  needsQualification,
  type PlanRules,
  supportsModel,
} from './sql.ts';
