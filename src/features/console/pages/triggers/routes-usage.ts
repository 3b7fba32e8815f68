import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { viewerOfAccount } from '../../../../platform/http/access.ts';
import {
  createUsageTrigger,
  deleteUsageTrigger,
  listUsageTriggers,
  toWireUsageTrigger,
  updateUsageTrigger,
  usageTriggerSchemas,
} from '../../../usage-triggers/index.ts';
import { AccountParams, Done } from '../../schemas.ts';
import { mayUseOf } from './acting-user.ts';
import * as schemas from './schemas.ts';

const LIST = '/accounts/:accountName/triggers/usage';

export const usageTriggerRoutes: FastifyPluginAsyncTypebox = async (api) => {
  const [reading, changing] = [viewerOfAccount(), viewerOfAccount('fleet')];

  api.get(
    LIST,
    {
      config: { access: reading },
      schema: {
        operationId: 'consoleListUsageTriggers',
        summary: 'Triggers on the use of services; an account has at most a thousand, so they come at once',
        params: AccountParams,
        response: { 200: schemas.WireUsageTriggers },
      },
    },
    async ({ ctx, tenant, viewer }) => ({
      triggers: (await listUsageTriggers(ctx, tenant, mayUseOf(viewer))).map(toWireUsageTrigger),
    }),
  );

  api.post(
    LIST,
    {
      config: { access: changing },
      schema: {
        operationId: 'consoleCreateUsageTrigger',
        summary: 'A new trigger on the use of a service',
        params: AccountParams,
        body: schemas.UsageBody,
        response: { 200: usageTriggerSchemas.WireDatedTrigger },
      },
    },
    async ({ ctx, tenant, viewer, body }) => {
      const asked = { ...body, accountName: tenant.accountName };
      return toWireUsageTrigger(await createUsageTrigger(ctx, tenant, asked, mayUseOf(viewer)));
    },
  );

  api.patch(
    `${LIST}/:triggerId`,
    {
      config: { access: changing },
      schema: {
        operationId: 'consoleChangeUsageTrigger',
        summary: 'Changes a trigger on the use of a service; what is absent stays as it is',
        params: schemas.TriggerParams,
        body: schemas.UsageChange,
        response: { 200: usageTriggerSchemas.WireDatedTrigger },
      },
    },
    async ({ ctx, tenant, viewer, params, body }) => {
      const asked = { ...body, accountName: tenant.accountName };
      return toWireUsageTrigger(
        await updateUsageTrigger(ctx, tenant, params.triggerId, asked, mayUseOf(viewer)),
      );
    },
  );

  api.delete(
    `${LIST}/:triggerId`,
    {
      config: { access: changing },
      schema: {
        operationId: 'consoleDeleteUsageTrigger',
        summary: 'Removes a trigger on the use of a service; what it has fired stays on record',
        params: schemas.TriggerParams,
        response: { 200: Done },
      },
    },
    async ({ ctx, tenant, viewer, params }) => {
      await deleteUsageTrigger(ctx, tenant, params.triggerId, mayUseOf(viewer));
      return { success: true };
    },
  );
};
