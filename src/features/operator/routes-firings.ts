import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { operatorWith } from '../../platform/http/access.ts';
import { listFirings, WireFiring } from '../firings/index.ts';
import { findNamedAccount } from './delete-account.ts';
import { beforeOf, PAGE_KEYS, paged } from './paging.ts';
import { OptionalText, PageQuery } from './schemas.ts';

export const firingRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/firings',
    {
      config: { access: operatorWith('read') },
      schema: {
        operationId: 'operatorListFirings',
        summary: 'When triggers fired and why, newest first',
        querystring: Type.Object({
          ...PageQuery.properties,
          triggerId: OptionalText,
          accountName: OptionalText,
        }),
        response: { 200: Type.Array(WireFiring) },
      },
    },
    async ({ ctx, query: { page, limit = 100, triggerId, accountName } }, reply) => {
      const account = accountName === undefined ? undefined : await findNamedAccount(ctx, accountName);
      // What cannot be an id is the id of no trigger.
      if (triggerId !== undefined && !PAGE_KEYS.uuid.test(triggerId.toLowerCase())) return [];
      const rows = await listFirings(ctx.db, {
        ecpdId: account?.ecpdId,
        accountName: account?.accountName,
        triggerId,
        before: beforeOf(page),
        limit,
      });
      return paged(reply, rows, limit, ({ firedAt, firingId }) => `${firedAt.toISOString()} ${firingId}`);
    },
  );
};
