import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { operatorWith } from '../../platform/http/access.ts';
import { type Channel, listNotifications, WireNotification } from '../notifications/index.ts';
import { beforeOf, paged } from './paging.ts';
import { OptionalText, PageQuery } from './schemas.ts';

const LISTS = [
  ['mail', 'operatorListMail', 'Mail that was posted, newest first, with what became of each recipient'],
  ['sms', 'operatorListSms', 'SMS that were posted, newest first, with what became of each recipient'],
] as const satisfies readonly (readonly [Channel, string, string])[];

export const notificationRoutes: FastifyPluginAsyncTypebox = async (api) => {
  for (const [channel, operationId, summary] of LISTS) {
    api.get(
      `/${channel}`,
      {
        config: { access: operatorWith('read') },
        schema: {
          operationId,
          summary,
          querystring: Type.Object({
            ...PageQuery.properties,
            accountName: OptionalText,
            triggerId: OptionalText,
          }),
          response: { 200: Type.Array(WireNotification) },
        },
      },
      async ({ ctx, query: { page, limit = 100, ...filter } }, reply) => {
        const rows = await listNotifications(ctx.db, { ...filter, channel, before: beforeOf(page), limit });
        return paged(reply, rows, limit, ({ at, id }) => `${at.toISOString()} ${id}`);
      },
    );
  }
};
