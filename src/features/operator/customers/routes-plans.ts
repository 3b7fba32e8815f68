import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ECPD_ID_PATTERN } from '../../../kernel/account-name.ts';
import { type CataloguePlan, listCatalogue, listRatePlanGroups } from '../../plans/index.ts';
import { PAGE_KEYS, paged, pageKey, withScope } from '../route.ts';
import { Done, OptionalText, PageQuery } from '../schemas.ts';
import { deleteUnusedGroup, deleteUnusedPlan } from './delete-plan.ts';

const NumberOrNull = Type.Unsafe<number | null>({ type: ['number', 'null'] });

const WirePlan = Type.Unsafe<CataloguePlan>(
  Type.Object({
    code: Type.String(),
    carrierServicePlanCode: Type.String(),
    name: Type.String(),
    kind: Type.Enum(['payAsYouGo', 'share', 'unlimited']),
    allowanceBytes: NumberOrNull,
    ratePerMb: NumberOrNull,
    fixedLocation: Type.Boolean(),
    models: Type.Union([Type.Array(Type.String()), Type.Null()]),
    suspendWithBilling: Type.Boolean(),
    throttleAtPercent: NumberOrNull,
  }),
);

const WireGroup = Type.Object({
  ecpdId: Type.String(),
  ratePlanGroupId: Type.Number(),
  planCodes: Type.Array(Type.String()),
  accounts: Type.Array(Type.String(), { description: 'The first 1,000 at most' }),
  accountCount: Type.Integer(),
});

function afterOf(page: string | undefined) {
  const [ecpdId, id] = pageKey(page, PAGE_KEYS.group)?.split(' ') ?? [];
  return ecpdId === undefined ? undefined : { ecpdId, ratePlanGroupId: Number(id) };
}

/** Plans and groups of plans, in the format of the fleet document. */
export const planRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/plans',
    withScope('read', {
      operationId: 'operatorListPlans',
      summary: 'Lists the plan catalogue by code',
      querystring: PageQuery,
      response: { 200: Type.Array(WirePlan) },
    }),
    async ({ ctx, query: { page, limit = 100 } }, reply) =>
      paged(
        reply,
        await listCatalogue(ctx.db, { after: pageKey(page, PAGE_KEYS.name) ?? '', limit }),
        limit,
        ({ code }) => code,
      ),
  );

  api.get(
    '/rate-plan-groups',
    withScope('read', {
      operationId: 'operatorListRatePlanGroups',
      summary: 'Lists groups of share plans with their plans and accounts, by profile and number',
      querystring: Type.Object({ ...PageQuery.properties, ecpdId: OptionalText }),
      response: { 200: Type.Array(WireGroup) },
    }),
    async ({ ctx, query: { page, limit = 100, ecpdId } }, reply) => {
      const rows = await listRatePlanGroups(ctx.db, { ecpdId, after: afterOf(page), limit });
      const groups = rows.map((row) => ({
        ...row,
        planCodes: [...row.planCodes],
        accounts: [...row.accounts],
      }));
      return paged(reply, groups, limit, ({ ecpdId, ratePlanGroupId }) => `${ecpdId} ${ratePlanGroupId}`);
    },
  );

  api.delete(
    '/plans/:code',
    withScope('admin', {
      operationId: 'operatorDeletePlan',
      summary: 'Deletes a plan that no line, rate plan group, trigger or bill needs',
      params: Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) }),
      response: { 200: Done },
    }),
    async ({ ctx, params: { code } }) => {
      await deleteUnusedPlan(ctx, code);
      return { success: true };
    },
  );

  api.delete(
    '/rate-plan-groups/:ecpdId/:ratePlanGroupId',
    withScope('admin', {
      operationId: 'operatorDeleteRatePlanGroup',
      summary: 'Deletes a rate plan group that no line draws from and no trigger watches',
      params: Type.Object({
        ecpdId: Type.String({ pattern: ECPD_ID_PATTERN }),
        ratePlanGroupId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      }),
      response: { 200: Done },
    }),
    async ({ ctx, params }) => {
      await deleteUnusedGroup(ctx, params);
      return { success: true };
    },
  );
};
