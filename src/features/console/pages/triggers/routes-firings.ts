import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { viewerOfAccount } from '../../../../platform/http/access.ts';
import { viewerOf } from '../../../price-plan-triggers/index.ts';
import {
  type ActingDeps,
  DecidedFiring,
  decideFiring,
  listPricePlanFirings,
  toWireAction,
  toWireFiring,
} from '../../../trigger-actions/index.ts';
import { listUsageFirings, requireUsageReader } from '../../../usage-triggers/index.ts';
import { actorOf, mayUseOf } from './acting-user.ts';
import * as schemas from './schemas.ts';

const DECISIONS = [
  {
    path: 'approve',
    decision: 'approved',
    operationId: 'consoleApproveFiring',
    summary: 'Lets a firing do what it waits with because it touches more devices than it may by itself',
  },
  {
    path: 'reject',
    decision: 'rejected',
    operationId: 'consoleRejectFiring',
    summary: 'Drops what a firing waits with; the firing stays on record',
  },
] as const;

const pageOf = <F extends { readonly firingId: string }>(firings: readonly F[], limit: number) => {
  const last = firings.length === limit ? firings.at(-1) : undefined;
  return { firings: [...firings], ...(last && { next: last.firingId }) };
};

const askedOf = (page: string | undefined, limit: number) => ({
  limit,
  ...(page !== undefined && { before: page }),
});

export const firingRoutes =
  (deps: ActingDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/accounts/:accountName/triggers/price-plan/:triggerId/firings',
      {
        config: { access: viewerOfAccount() },
        schema: {
          operationId: 'consoleListPricePlanFirings',
          summary: 'When a price plan trigger fired, why, and what it did, newest first',
          params: schemas.TriggerParams,
          querystring: schemas.FiringQuery,
          response: { 200: schemas.WireFiringPage },
        },
      },
      async ({ ctx, viewer, tenant, params, query: { page, limit = 100 } }) => {
        const actor = await actorOf(ctx, viewer, tenant);
        const found = await listPricePlanFirings(ctx, actor, params.triggerId, askedOf(page, limit));
        return pageOf(found.map(toWireFiring), limit);
      },
    );

    api.get(
      '/accounts/:accountName/triggers/usage/:triggerId/firings',
      {
        config: { access: viewerOfAccount() },
        schema: {
          operationId: 'consoleListUsageFirings',
          summary: 'When a trigger on the use of a service fired, and why, newest first',
          params: schemas.TriggerParams,
          querystring: schemas.FiringQuery,
          response: { 200: schemas.WireFiringPage },
        },
      },
      async ({ ctx, viewer, tenant, params, query: { page, limit = 100 } }) => {
        await requireUsageReader(ctx, tenant, mayUseOf(viewer), params.triggerId);
        const found = await listUsageFirings(ctx, tenant, params.triggerId, askedOf(page, limit));
        return pageOf(
          found.map((firing) => ({ ...firing, actions: [] })),
          limit,
        );
      },
    );

    for (const { path, decision, operationId, summary } of DECISIONS) {
      api.post(
        `/accounts/:accountName/triggers/firings/:firingId/${path}`,
        {
          // As much as the operator's own interface asks for.
          config: { access: viewerOfAccount('admin') },
          schema: { operationId, summary, params: schemas.FiringParams, response: { 200: DecidedFiring } },
        },
        async ({ ctx, viewer, tenant, params: { firingId } }) => {
          const actor = await actorOf(ctx, viewer, tenant);
          const approver = { name: actor.username, viewer: viewerOf(actor) };
          const actions = await decideFiring(ctx, approver, { firingId, decision }, deps);
          return { firingId: firingId.toLowerCase(), actions: actions.map(toWireAction) };
        },
      );
    }
  };
