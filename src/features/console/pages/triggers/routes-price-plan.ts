import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { viewerOfAccount } from '../../../../platform/http/access.ts';
import { listRatePlanGroupsOf } from '../../../plans/index.ts';
import {
  concernsAccount,
  createPricePlanTrigger,
  deletePricePlanTrigger,
  findOwnTrigger,
  listTriggersOf,
  pricePlanTriggerSchemas,
  toWirePricePlanTrigger,
  updatePricePlanTrigger,
} from '../../../price-plan-triggers/index.ts';
import { keepLevels, runBacktest, WireBacktest } from '../../../trigger-evaluation/index.ts';
import { AccountParams, PageQuery } from '../../schemas.ts';
import { actorOf } from './acting-user.ts';
import { denyInConsole } from './deny-in-console.ts';
import { readOptions } from './read-options.ts';
import * as schemas from './schemas.ts';

const { BODY_MAX_BYTES, TriggerIdAnswer, WireTrigger } = pricePlanTriggerSchemas;
const LIST = '/accounts/:accountName/triggers/price-plan';

export const pricePlanTriggerRoutes: FastifyPluginAsyncTypebox = async (api) => {
  const [reading, changing] = [viewerOfAccount(), viewerOfAccount('fleet')];
  denyInConsole(api);

  api.get(
    '/accounts/:accountName/triggers/options',
    {
      config: { access: reading },
      schema: {
        operationId: 'consoleReadTriggerOptions',
        summary:
          'Accounts, plans, rate plan groups, notification groups and services that a trigger can name',
        params: AccountParams,
        response: { 200: schemas.WireOptions },
      },
    },
    async ({ ctx, viewer, tenant }) => readOptions(ctx, tenant, await actorOf(ctx, viewer, tenant)),
  );

  api.get(
    LIST,
    {
      config: { access: reading },
      schema: {
        operationId: 'consoleListPricePlanTriggers',
        summary: 'Price plan triggers that name the account or watch a group that it shares in, oldest first',
        params: AccountParams,
        querystring: PageQuery,
        response: { 200: schemas.WirePricePlanTriggers },
      },
    },
    async ({ ctx, viewer, tenant, query: { page, limit = 100 } }) => {
      const where = concernsAccount(tenant, await listRatePlanGroupsOf(ctx.db, tenant));
      const asked = { limit, ...(page !== undefined && { page }) };
      const { triggers, next } = await listTriggersOf(ctx, await actorOf(ctx, viewer, tenant), where, asked);
      return { triggers: triggers.map(toWirePricePlanTrigger), ...(next !== undefined && { next }) };
    },
  );

  api.post(
    LIST,
    {
      bodyLimit: BODY_MAX_BYTES,
      config: { access: changing },
      schema: {
        operationId: 'consoleCreatePricePlanTrigger',
        summary: 'A new price plan trigger in the profile of the account',
        params: AccountParams,
        body: schemas.PricePlanBody,
        response: { 200: TriggerIdAnswer },
      },
    },
    async ({ ctx, viewer, tenant, body }) => {
      const actor = await actorOf(ctx, viewer, tenant);
      const named = { ...body, ecpdId: tenant.ecpdId };
      return { triggerId: await createPricePlanTrigger(ctx, actor, named, keepLevels) };
    },
  );

  api.post(
    '/accounts/:accountName/triggers/backtest',
    {
      bodyLimit: BODY_MAX_BYTES,
      config: { access: reading },
      schema: {
        operationId: 'consoleBacktestTrigger',
        summary: 'What a price plan trigger would have fired in a past period, and what it would have done',
        params: AccountParams,
        body: schemas.ConsoleBacktestBody,
        response: { 200: WireBacktest },
      },
    },
    async ({ ctx, viewer, tenant, body }) =>
      runBacktest(ctx, await actorOf(ctx, viewer, tenant), { ...body, ecpdId: tenant.ecpdId }),
  );

  api.get(
    `${LIST}/:triggerId`,
    {
      config: { access: reading },
      schema: {
        operationId: 'consoleReadPricePlanTrigger',
        summary: 'One price plan trigger',
        params: schemas.TriggerParams,
        response: { 200: WireTrigger },
      },
    },
    async ({ ctx, viewer, tenant, params }) => {
      const [trigger] = await findOwnTrigger(ctx, await actorOf(ctx, viewer, tenant), params.triggerId);
      return toWirePricePlanTrigger(trigger!);
    },
  );

  api.patch(
    `${LIST}/:triggerId`,
    {
      bodyLimit: BODY_MAX_BYTES,
      config: { access: changing },
      schema: {
        operationId: 'consoleChangePricePlanTrigger',
        summary: 'Changes a price plan trigger; what is absent stays as it is',
        params: schemas.TriggerParams,
        body: schemas.PricePlanChange,
        response: { 200: TriggerIdAnswer },
      },
    },
    async ({ ctx, viewer, tenant, params: { triggerId }, body }) => {
      const actor = await actorOf(ctx, viewer, tenant);
      const named = { ...body, triggerId, ecpdId: tenant.ecpdId };
      return { triggerId: await updatePricePlanTrigger(ctx, actor, named, keepLevels) };
    },
  );

  api.delete(
    `${LIST}/:triggerId`,
    {
      config: { access: changing },
      schema: {
        operationId: 'consoleDeletePricePlanTrigger',
        summary: 'Removes a price plan trigger; what it has fired stays on record',
        params: schemas.TriggerParams,
        response: { 200: TriggerIdAnswer },
      },
    },
    async ({ ctx, viewer, tenant, params }) => ({
      triggerId: await deletePricePlanTrigger(ctx, await actorOf(ctx, viewer, tenant), params.triggerId),
    }),
  );
};
