import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { isUuid } from '../../kernel/uuid.ts';
import { refuse } from '../../platform/context/fault.ts';
import { accountIn, calledBy } from '../../platform/http/access.ts';
import { addRoutes } from '../../platform/http/add-routes.ts';
import { createTrigger, deleteTrigger, updateTrigger } from './change-triggers.ts';
import { usageTriggerFaults } from './errors.ts';
import { accountsOf, listKept, listTriggerFirings, requireReader, requireTrigger } from './keep-triggers.ts';
import * as schemas from './schemas.ts';
import { toWireTrigger } from './wire.ts';

/** A text that cannot be an id is not found. */
const idOf = (text: string): string =>
  isUuid(text) ? text.toLowerCase() : refuse(usageTriggerFaults.notFound);

const OF_ACCOUNT = '/usage/accounts/:accountName/triggers';

const routesForAll: FastifyPluginAsyncTypebox = async (api) => {
  api.post(
    '/usage/triggers',
    calledBy(accountIn('body'), {
      operationId: 'createUsageTrigger',
      summary: 'A new trigger on the use of a service; it fires once a month for its percentage',
      body: schemas.CreateBody,
      response: { 200: schemas.WireDatedTrigger },
    }),
    async ({ ctx, tenant, body, principal }) =>
      toWireTrigger(await createTrigger(ctx, tenant, body, accountsOf(principal))),
  );

  api.post(
    '/usage/triggers/:triggerId',
    calledBy(accountIn('body'), {
      operationId: 'updateUsageTrigger',
      summary: 'Changes a trigger; absent fields keep their values',
      params: schemas.TriggerIdParams,
      body: schemas.TriggerBody,
      response: { 200: schemas.WireDatedTrigger },
    }),
    async ({ ctx, tenant, params, body, principal }) =>
      toWireTrigger(await updateTrigger(ctx, tenant, idOf(params.triggerId), body, accountsOf(principal))),
  );

  api.get(
    OF_ACCOUNT,
    calledBy(accountIn('params'), {
      operationId: 'listUsageTriggers',
      summary: "The account's usage triggers that the user may manage",
      params: schemas.AccountParams,
      querystring: schemas.ListQuery,
      response: { 200: schemas.WireTriggers },
    }),
    async ({ ctx, tenant, principal, query: { dates = false } }) => {
      const triggers = (await listKept(ctx, tenant, accountsOf(principal))).map(toWireTrigger);
      return dates ? triggers : triggers.map(({ createDate: _, updateDate: __, ...trigger }) => trigger);
    },
  );
};

const routesForOne: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    `${OF_ACCOUNT}/:triggerId`,
    calledBy(accountIn('params'), {
      operationId: 'readUsageTrigger',
      summary: 'One usage trigger',
      params: schemas.TriggerParams,
      response: { 200: schemas.WireTrigger },
    }),
    async ({ ctx, tenant, params, principal }) =>
      toWireTrigger(await requireTrigger(ctx, tenant, accountsOf(principal), idOf(params.triggerId))),
  );

  api.delete(
    `${OF_ACCOUNT}/:triggerId`,
    calledBy(accountIn('params'), {
      operationId: 'deleteUsageTrigger',
      summary: 'Deletes a trigger; its firings stay on record',
      params: schemas.TriggerParams,
      response: { 200: schemas.Success },
    }),
    async ({ ctx, tenant, params, principal }) => {
      await deleteTrigger(ctx, tenant, idOf(params.triggerId), accountsOf(principal));
      return { success: true };
    },
  );

  api.get(
    `${OF_ACCOUNT}/:triggerId/firings`,
    {
      config: { access: accountIn('params'), reads: 'replica' },
      schema: {
        operationId: 'listUsageTriggerFirings',
        summary: 'When the trigger fired and why, newest first',
        params: schemas.TriggerParams,
        querystring: schemas.FiringQuery,
        response: { 200: schemas.WireFirings },
      },
      preHandler: async ({ ctx, tenant, params, principal }) =>
        requireReader(ctx, tenant, accountsOf(principal), idOf(params.triggerId)),
    },
    async ({ ctx, tenant, params, query }) => listTriggerFirings(ctx, tenant, idOf(params.triggerId), query),
  );
};

/** Mounted at /subsc/v1. */
export const usageTriggerRoutes: FastifyPluginAsyncTypebox = async (api) => {
  await addRoutes(api, [routesForAll, routesForOne]);
};
