export { planNotFound } from './errors.ts';
export { listChangedNames, plansSection, serviceableZipsSection } from './fleet-plans.ts';
export { changesGroups, ratePlanGroupsSection } from './fleet-rate-plan-groups.ts';
export {
  type CataloguePlan,
  countGroupsOf,
  countGroupsWithPlan,
  deletePlan,
  deleteRatePlanGroup,
  findPlanRules,
  findRatePlanGroups,
  listCatalogue,
  listPlanCodes,
  listPlans,
  listRatePlanGroups,
  listRatePlanGroupsOf,
  listServiceableZips,
  lockPlan,
  lockRatePlanGroup,
  namesOfPlan,
  needsQualification,
  type PlanRules,
  type RatePlanGroup,
  supportsModel,
} from './sql.ts';
