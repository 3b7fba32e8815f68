import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import type { Ctx, Principal } from '../../platform/context/context.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import { accountIn, calledBy, withSession } from '../../platform/http/access.ts';
import { addRoutes } from '../../platform/http/add-routes.ts';
import { listRatePlanGroupsOf } from '../plans/index.ts';
import { createTrigger, deleteTrigger, updateTrigger } from './keep-triggers.ts';
import { findOwnTrigger, listTriggersOf, listVersionsOf, type PageQuery } from './list-triggers.ts';
import type { KeepLevels } from './price-plan-trigger.ts';
import * as schemas from './schemas.ts';
import { concernsAccount } from './sql-list.ts';
import { dropBlanks, toWireTrigger, toWireVersion } from './wire.ts';

const routesForWriting =
  (levels: KeepLevels): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.post(
      '',
      {
        bodyLimit: schemas.BODY_MAX_BYTES,
        preValidation: dropBlanks,
        config: { access: withSession },
        schema: {
          operationId: 'createPricePlanTrigger',
          summary:
            'A new trigger that notifies, suspends or changes plans when data usage meets its condition',
          body: schemas.CreateBody,
          response: { 200: schemas.TriggerIdAnswer },
        },
      },
      async ({ ctx, principal, body }) => ({ triggerId: await createTrigger(ctx, principal, body, levels) }),
    );

    api.put(
      '',
      {
        bodyLimit: schemas.BODY_MAX_BYTES,
        preValidation: dropBlanks,
        config: { access: withSession },
        schema: {
          operationId: 'updatePricePlanTrigger',
          summary: 'Changes a trigger; absent fields keep their values',
          body: schemas.UpdateBody,
          response: { 200: schemas.TriggerIdAnswer },
        },
      },
      async ({ ctx, principal, body }) => ({ triggerId: await updateTrigger(ctx, principal, body, levels) }),
    );

    api.delete(
      '/:triggerId',
      calledBy(withSession, {
        operationId: 'deletePricePlanTrigger',
        summary: 'Deletes a trigger; its firings stay on record',
        params: schemas.TriggerParams,
        response: { 200: schemas.TriggerIdAnswer },
      }),
      async ({ ctx, principal, params }) => ({
        triggerId: await deleteTrigger(ctx, principal, params.triggerId, levels),
      }),
    );
  };

interface ListRequest {
  readonly ctx: Ctx;
  readonly principal: Principal;
  readonly query: PageQuery;
}

async function answerPage({ ctx, principal, query }: ListRequest, reply: FastifyReply, where: Query) {
  const { triggers, next } = await listTriggersOf(ctx, principal, where, query);
  if (next !== undefined) reply.header('x-next', next);
  return { triggers: triggers.map(toWireTrigger) };
}

const EVERY = sql`true`;
const NONE = sql`false`;

const routesForLists: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '',
    calledBy(withSession, {
      operationId: 'listPricePlanTriggers',
      summary:
        'The triggers whose accounts the session may use, oldest first; X-Next is set if there are more',
      querystring: schemas.PageQuery,
      response: { 200: schemas.WireTriggers },
    }),
    (request, reply) => answerPage(request, reply, EVERY),
  );

  api.get(
    '/categories/:category',
    calledBy(withSession, {
      operationId: 'listPricePlanTriggersOfCategory',
      summary: 'The triggers of a category; only PricePlanDataUsage has any',
      params: schemas.CategoryParams,
      querystring: schemas.PageQuery,
      response: { 200: schemas.WireTriggers },
    }),
    (request, reply) => {
      const isOurs = request.params.category.toLowerCase() === schemas.TRIGGER_CATEGORY.toLowerCase();
      return answerPage(request, reply, isOurs ? EVERY : NONE);
    },
  );

  api.get(
    '/accounts/:accountName',
    calledBy(accountIn('params'), {
      operationId: 'listPricePlanTriggersOfAccount',
      summary: 'The triggers that name the account, or watch a group that it shares in',
      params: schemas.AccountParams,
      querystring: schemas.PageQuery,
      response: { 200: schemas.WireTriggers },
    }),
    async (request, reply) => {
      const { ctx, tenant } = request;
      return answerPage(request, reply, concernsAccount(tenant, await listRatePlanGroupsOf(ctx.db, tenant)));
    },
  );
};

const routesForOne: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/:triggerId',
    calledBy(withSession, {
      operationId: 'readPricePlanTrigger',
      summary: 'One trigger, as a list',
      params: schemas.TriggerParams,
      response: { 200: schemas.WireTriggers },
    }),
    async ({ ctx, principal, params }) => ({
      triggers: (await findOwnTrigger(ctx, principal, params.triggerId)).map(toWireTrigger),
    }),
  );

  api.get(
    '/:triggerId/versions',
    calledBy(withSession, {
      operationId: 'listPricePlanTriggerVersions',
      summary: 'The versions of the trigger, newest first; firings name the version that fired',
      params: schemas.TriggerParams,
      querystring: schemas.VersionQuery,
      response: { 200: schemas.WireVersions },
    }),
    async ({ ctx, principal, params, query }) => ({
      triggerId: params.triggerId.toLowerCase(),
      versions: (await listVersionsOf(ctx, principal, params.triggerId, query)).map(toWireVersion),
    }),
  );
};

/** Mounted at /m2m/v2/triggers and /v2/triggers. */
export const pricePlanTriggerRoutes =
  (levels: KeepLevels): FastifyPluginAsyncTypebox =>
  async (api) => {
    await addRoutes(api, [routesForWriting(levels), routesForLists, routesForOne]);
  };
