import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { isUuid } from '../../kernel/uuid.ts';
import { listFirings } from '../firings/index.ts';
import {
  type ActingDeps,
  DecidedFiring,
  decideFiring,
  FiringParams,
  toWireAction,
  toWireFiring,
  WireFiringWithActions,
  withActions,
} from '../trigger-actions/index.ts';
import { beforeOf, findNamedAccount, paged, withScope } from './route.ts';
import { OptionalText, PageQuery } from './schemas.ts';

const DECISIONS = [
  [
    'approve',
    'approved',
    'operatorApproveFiring',
    'Approves the actions of a firing that waits because they affect more devices than allowed without approval',
  ],
  [
    'reject',
    'rejected',
    'operatorRejectFiring',
    'Drops the waiting actions of a firing; the firing stays on record',
  ],
] as const;

export const firingRoutes =
  (deps: ActingDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/firings',
      withScope('read', {
        operationId: 'operatorListFirings',
        summary: 'Lists when triggers fired, why, and what they did, newest first',
        querystring: Type.Object({
          ...PageQuery.properties,
          triggerId: OptionalText,
          accountName: OptionalText,
        }),
        response: { 200: Type.Array(WireFiringWithActions) },
      }),
      async ({ ctx, query: { page, limit = 100, triggerId, accountName } }, reply) => {
        const account = accountName === undefined ? undefined : await findNamedAccount(ctx, accountName);
        // A malformed id belongs to no trigger.
        if (triggerId !== undefined && !isUuid(triggerId)) return [];
        const rows = await listFirings(ctx.db, {
          ecpdId: account?.ecpdId,
          accountName: account?.accountName,
          triggerId,
          before: beforeOf(page),
          limit,
        });
        const firings = (await withActions(ctx, rows)).map(toWireFiring);
        return paged(
          reply,
          firings,
          limit,
          ({ firedAt, firingId }) => `${firedAt.toISOString()} ${firingId}`,
        );
      },
    );

    for (const [verb, decision, operationId, summary] of DECISIONS) {
      api.post(
        `/firings/:firingId/${verb}`,
        withScope('admin', { operationId, summary, params: FiringParams, response: { 200: DecidedFiring } }),
        async ({ ctx, operator, params: { firingId } }) => {
          const approver = { name: operator.keyName, viewer: undefined };
          const actions = await decideFiring(ctx, approver, { firingId, decision }, deps);
          return { firingId: firingId.toLowerCase(), actions: actions.map(toWireAction) };
        },
      );
    }
  };
