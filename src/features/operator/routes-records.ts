import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { UUID_PATTERN } from '../../kernel/uuid.ts';
import { listAudit } from '../../platform/context/audit.ts';
import { listJobs, retryJob } from '../../platform/jobs/sql-list.ts';
import { type Channel, listNotifications, WireNotification } from '../notifications/index.ts';
import { operatorFaults } from './errors.ts';
import { announceNext, beforeOf, doneOr, PAGE_KEYS, paged, pageKey, withScope } from './route.ts';
import { Done, OptionalText, PageQuery, WireAuditEntry, WireJob } from './schemas.ts';

export const recordRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/audit',
    withScope(
      'read',
      {
        operationId: 'operatorListAudit',
        summary: 'Who did what, newest first',
        querystring: Type.Object({
          ...PageQuery.properties,
          accountName: OptionalText,
          actor: OptionalText,
          action: OptionalText,
        }),
        response: { 200: Type.Array(WireAuditEntry) },
      },
      { reads: 'replica' },
    ),
    async ({ ctx, query: { page, limit = 100, ...filter } }, reply) => {
      const key = pageKey(page, PAGE_KEYS.number);
      const before = key === undefined ? undefined : BigInt(key);
      const rows = await listAudit(ctx.db, { ...filter, before, limit });
      const last = rows.at(-1);
      if (last?.isFollowed) announceNext(reply, last.id);
      return rows;
    },
  );

  api.get(
    '/jobs',
    withScope('read', {
      operationId: 'operatorListJobs',
      summary: 'Work that waits, runs, is done or has failed, latest due time first',
      querystring: Type.Object({
        kind: OptionalText,
        state: Type.Optional(Type.Enum(['waiting', 'running', 'done', 'failed'])),
        ecpdId: OptionalText,
        limit: PageQuery.properties.limit,
      }),
      response: { 200: Type.Array(WireJob) },
    }),
    ({ ctx, query: { limit = 100, ...filter } }) => listJobs(ctx.db, { ...filter, limit }),
  );

  api.post(
    '/jobs/:jobId/retry',
    withScope('admin', {
      operationId: 'operatorRetryJob',
      summary: 'Runs a failed job again, with all its attempts',
      params: Type.Object({ jobId: Type.String({ pattern: UUID_PATTERN }) }),
      response: { 200: Done },
    }),
    ({ ctx, params }) => doneOr(retryJob(ctx.db, params.jobId, ctx.now()), operatorFaults.noJob),
  );
};

const LISTS = [
  ['mail', 'operatorListMail', 'Mail that was posted, newest first, with what became of each recipient'],
  ['sms', 'operatorListSms', 'SMS that were posted, newest first, with what became of each recipient'],
] as const satisfies readonly (readonly [Channel, string, string])[];

export const notificationRoutes: FastifyPluginAsyncTypebox = async (api) => {
  for (const [channel, operationId, summary] of LISTS) {
    api.get(
      `/${channel}`,
      withScope('read', {
        operationId,
        summary,
        querystring: Type.Object({
          ...PageQuery.properties,
          accountName: OptionalText,
          triggerId: OptionalText,
        }),
        response: { 200: Type.Array(WireNotification) },
      }),
      async ({ ctx, query: { page, limit = 100, ...filter } }, reply) => {
        const rows = await listNotifications(ctx.db, { ...filter, channel, before: beforeOf(page), limit });
        return paged(reply, rows, limit, ({ at, id }) => `${at.toISOString()} ${id}`);
      },
    );
  }
};
