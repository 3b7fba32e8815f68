import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { isUuid } from '../../kernel/uuid.ts';
import { refuse } from '../../platform/fault.ts';
import { accountIn } from '../../platform/http/access.ts';
import { createTrigger } from './create-trigger.ts';
import { deleteTrigger } from './delete-trigger.ts';
import { usageTriggerFaults } from './errors.ts';
import { listTriggerFirings } from './list-firings.ts';
import { requirePrimary } from './require-primary.ts';
import * as schemas from './schemas.ts';
import { findTrigger, listTriggers } from './sql.ts';
import { updateTrigger } from './update-trigger.ts';
import { toWireTrigger } from './wire.ts';

/** What cannot be an id is the id of no trigger. */
const idOf = (text: string): string =>
  isUuid(text) ? text.toLowerCase() : refuse(usageTriggerFaults.notFound);

const OF_ACCOUNT = '/usage/accounts/:accountName/triggers';

/** Mounted at /subsc/v1. */
export const usageTriggerRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.addHook('preHandler', async ({ ctx, principal, tenant }) => requirePrimary(ctx, principal, tenant));

  api.post(
    '/usage/triggers',
    {
      config: { access: accountIn('body') },
      schema: {
        operationId: 'createUsageTrigger',
        summary: 'A new trigger on the use of a service; it fires once a month for its percentage',
        body: schemas.CreateBody,
        response: { 200: schemas.WireDatedTrigger },
      },
    },
    async ({ ctx, tenant, body }) => toWireTrigger(await createTrigger(ctx, tenant, body)),
  );

  api.post(
    '/usage/triggers/:triggerId',
    {
      config: { access: accountIn('body') },
      schema: {
        operationId: 'updateUsageTrigger',
        summary: 'Changes a trigger; what is absent stays as it is',
        params: schemas.TriggerIdParams,
        body: schemas.TriggerBody,
        response: { 200: schemas.WireDatedTrigger },
      },
    },
    async ({ ctx, tenant, params, body }) =>
      toWireTrigger(await updateTrigger(ctx, tenant, idOf(params.triggerId), body)),
  );

  api.get(
    OF_ACCOUNT,
    {
      config: { access: accountIn('params') },
      schema: {
        operationId: 'listUsageTriggers',
        summary: "The account's usage triggers",
        params: schemas.AccountParams,
        response: { 200: Type.Array(schemas.WireTrigger) },
      },
    },
    async ({ ctx, tenant }) => (await listTriggers(ctx.db, tenant)).map(toWireTrigger),
  );

  api.get(
    `${OF_ACCOUNT}/:triggerId`,
    {
      config: { access: accountIn('params') },
      schema: {
        operationId: 'readUsageTrigger',
        summary: 'One usage trigger',
        params: schemas.TriggerParams,
        response: { 200: schemas.WireTrigger },
      },
    },
    async ({ ctx, tenant, params }) =>
      toWireTrigger(
        (await findTrigger(ctx.db, tenant, idOf(params.triggerId))) ?? refuse(usageTriggerFaults.notFound),
      ),
  );

  api.delete(
    `${OF_ACCOUNT}/:triggerId`,
    {
      config: { access: accountIn('params') },
      schema: {
        operationId: 'deleteUsageTrigger',
        summary: 'Removes a trigger; what it has fired stays on record',
        params: schemas.TriggerParams,
        response: { 200: schemas.Success },
      },
    },
    async ({ ctx, tenant, params }) => {
      await deleteTrigger(ctx, tenant, idOf(params.triggerId));
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
    },
    async ({ ctx, tenant, params, query }) => listTriggerFirings(ctx, tenant, idOf(params.triggerId), query),
  );
};
