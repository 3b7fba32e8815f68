import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Ctx, Tenant, Viewer } from '../../platform/context/context.ts';
import { listAccountNames } from '../accounts/index.ts';
import { listGroupNames } from '../notifications/index.ts';
import { findRatePlanGroups, listPlans, listRatePlanGroupsOf } from '../plans/index.ts';
import { METERED_SERVICES } from '../usage/index.ts';
import { ofAccount, ViewedAccount } from './schemas.ts';
import { accountsOf, listViewedAccounts } from './session/viewed-accounts.ts';

/** The form offers at most this many. */
const CHOICES_MAX = 1_000;

const WireOptions = Type.Object({
  ecpdId: Type.String({ description: 'The profile of the account, to which its price plan triggers belong' }),
  accounts: Type.Array(ViewedAccount, { description: 'The accounts of the profile that the viewer may use' }),
  plans: Type.Array(Type.Object({ code: Type.String(), name: Type.String(), kind: Type.String() })),
  groups: Type.Array(Type.Object({ id: Type.Number(), planCodes: Type.Array(Type.String()) }), {
    description: 'Rate plan groups of the account',
  }),
  notificationGroups: Type.Array(Type.String()),
  services: Type.Array(Type.Enum([...METERED_SERVICES])),
});

/** The choices for the fields of a trigger. */
async function getOptions({ db }: Ctx, tenant: Tenant, viewer: Viewer) {
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
  const seen = accountsOf(viewer);
  const own = (await listAccountNames(db, ecpdId)).filter((name) => seen?.includes(name) ?? true);
  return {
    ecpdId,
    accounts: await listViewedAccounts(db, own, { limit: CHOICES_MAX }),
    plans: [...byCode.values()].slice(0, CHOICES_MAX),
    groups: groups.map(({ ratePlanGroupId, carrierCodes }) => ({
      id: ratePlanGroupId,
      planCodes: carrierCodes.toSorted(),
    })),
    notificationGroups: [...(await listGroupNames(db, ecpdId, CHOICES_MAX))],
    services: [...METERED_SERVICES],
  };
}

export const triggerRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/accounts/:accountName/triggers/options',
    ofAccount(
      'consoleReadTriggerOptions',
      'Accounts, plans, rate plan groups, notification groups and services that a trigger can name',
      WireOptions,
    ),
    ({ ctx, tenant, viewer }) => getOptions(ctx, tenant, viewer),
  );
};
