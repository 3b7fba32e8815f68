import type { Ctx, Principal, Tenant } from '../../../../platform/context/context.ts';
import { listGroupNames } from '../../../notifications/index.ts';
import { findRatePlanGroups, listPlans, listRatePlanGroupsOf } from '../../../plans/index.ts';
import { METERED_SERVICES } from '../../../usage/index.ts';
import { listViewedAccounts } from '../../session/sql-accounts.ts';

/** More than these are not offered. */
const CHOICES_MAX = 1_000;

/** What the fields of a trigger can be filled with. */
export async function readOptions({ db }: Ctx, tenant: Tenant, actor: Principal) {
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
  const own = [...actor.accounts].filter(([, profile]) => profile === ecpdId).map(([name]) => name);
  return {
    accounts: await listViewedAccounts(db, { among: own, search: undefined, after: '', limit: CHOICES_MAX }),
    plans: [...byCode.values()].slice(0, CHOICES_MAX),
    groups: groups.map(({ ratePlanGroupId, carrierCodes }) => ({
      id: ratePlanGroupId,
      planCodes: carrierCodes.toSorted(),
    })),
    notificationGroups: [...(await listGroupNames(db, ecpdId, CHOICES_MAX))],
    services: [...METERED_SERVICES],
  };
}
