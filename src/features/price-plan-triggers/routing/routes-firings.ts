import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withSession } from '../../../platform/http/access.ts';
import type { ActingDeps } from '../acting/action.ts';
import { judgeFiring } from '../acting/judge-firing.ts';
import { listFiringsOf } from '../acting/list-firings-of.ts';
import * as acting from '../acting/schemas.ts';
import { toWireAction, toWireFiring } from '../acting/wire.ts';
import { viewerOf } from '../price-plan-trigger.ts';
import { TriggerParams } from '../schemas.ts';

const JUDGING = [
  {
    path: 'approve',
    judgement: 'approved',
    operationId: 'approvePricePlanFiring',
    summary: 'Lets a firing do what it waits with because it touches more devices than it may by itself',
  },
  {
    path: 'reject',
    judgement: 'rejected',
    operationId: 'rejectPricePlanFiring',
    summary: 'Drops what a firing waits with; the firing stays on record',
  },
] as const;

export const routesForFirings =
  (deps: ActingDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/:triggerId/firings',
      {
        config: { access: withSession },
        schema: {
          operationId: 'listPricePlanTriggerFirings',
          summary: 'When the trigger fired, why, and what it did, newest first; also of one that was deleted',
          params: TriggerParams,
          querystring: acting.FiringsQuery,
          response: { 200: acting.WireFirings },
        },
      },
      async ({ ctx, principal, params, query }) => ({
        triggerId: params.triggerId.toLowerCase(),
        firings: (await listFiringsOf(ctx, principal, params.triggerId, query)).map(toWireFiring),
      }),
    );

    for (const { path, judgement, operationId, summary } of JUDGING) {
      api.post(
        `/firings/:firingId/${path}`,
        {
          // As much as the operator API asks for.
          config: { access: withSession, cookie: 'admin' },
          schema: {
            operationId,
            summary,
            params: acting.FiringParams,
            response: { 200: acting.JudgedFiring },
          },
        },
        async ({ ctx, principal, params: { firingId } }) => {
          const judge = { name: principal.username, viewer: viewerOf(principal) };
          const actions = await judgeFiring(ctx, judge, { firingId, judgement }, deps);
          return { firingId: firingId.toLowerCase(), actions: actions.map(toWireAction) };
        },
      );
    }
  };
