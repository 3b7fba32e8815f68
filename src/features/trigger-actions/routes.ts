import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { calledBy, withSession } from '../../platform/http/access.ts';
import { pricePlanTriggerSchemas, viewerOf } from '../price-plan-triggers/index.ts';
import type { ActingDeps } from './action.ts';
import { decideFiring } from './decide-firing.ts';
import { listFiringsOf, toWireAction, toWireFiring } from './list-firings.ts';
import * as acting from './schemas.ts';

const DECISIONS = [
  {
    path: 'approve',
    decision: 'approved',
    operationId: 'approvePricePlanFiring',
    summary: 'Approves the actions of a firing that affects more devices than it may without approval',
  },
  {
    path: 'reject',
    decision: 'rejected',
    operationId: 'rejectPricePlanFiring',
    summary: 'Rejects the actions of a firing that waits for approval; the firing stays on record',
  },
] as const;

export const firingRoutes =
  (deps: ActingDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/:triggerId/firings',
      calledBy(withSession, {
        operationId: 'listPricePlanTriggerFirings',
        summary: 'When the trigger fired, why, and what it did, newest first; also of one that was deleted',
        params: pricePlanTriggerSchemas.TriggerParams,
        querystring: acting.FiringsQuery,
        response: { 200: acting.WireFirings },
      }),
      async ({ ctx, principal, params, query }) => ({
        triggerId: params.triggerId.toLowerCase(),
        firings: (await listFiringsOf(ctx, principal, params.triggerId, query)).map(toWireFiring),
      }),
    );

    for (const { path, decision, operationId, summary } of DECISIONS) {
      api.post(
        `/firings/:firingId/${path}`,
        {
          // The same requirement as in the operator API.
          config: { access: withSession, cookie: 'admin' },
          schema: {
            operationId,
            summary,
            params: acting.FiringParams,
            response: { 200: acting.DecidedFiring },
          },
        },
        async ({ ctx, principal, params: { firingId } }) => {
          const approver = { name: principal.username, viewer: viewerOf(principal) };
          const actions = await decideFiring(ctx, approver, { firingId, decision }, deps);
          return { firingId: firingId.toLowerCase(), actions: actions.map(toWireAction) };
        },
      );
    }
  };
