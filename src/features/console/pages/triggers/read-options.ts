import type { Ctx, Tenant } from '../../../../platform/context.ts';
import { listGroupNames } from '../../../notifications/index.ts';
import { findRatePlanGroups, listPlans, listRatePlanGroupsOf } from '../../../plans/index.ts';
import { METERED_SERVICES } from '../../../usage/index.ts';

/** More than these are typed, not chosen. */
const CHOICES_MAX = 1_000;

/** What the fields of a trigger can be filled with. */
export async function readOptions({ db }: Ctx, tenant: Tenant) {
  const { ecpdId } = tenant;
  const plans = await listPlans(db);
  const byCode = new Map(
    plans.map(({ carrierServicePlanCode: code, name, kind }) => [code, { code, name, kind }]),
  );
  const groupIds = (await listRatePlanGroupsOf(db, tenant)).slice(0, CHOICES_MAX);
  const groups = await findRatePlanGroups(
    db,
    groupIds.map((ratePlanGroupId) => ({ ecpdId, ratePlanGroupId })),
  );
  return {
    plans: [...byCode.values()].slice(0, CHOICES_MAX),
    groups: groups.map(({ ratePlanGroupId, carrierCodes }) => ({
      id: ratePlanGroupId,
      planCodes: carrierCodes.toSorted(),
    })),
    notificationGroups: [...(await listGroupNames(db, ecpdId, CHOICES_MAX))],
    services: [...METERED_SERVICES],
  };
}
