import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { UUID_PATTERN } from '../../kernel/uuid.ts';
import { listAudit } from '../../platform/context/audit.ts';
import { refuse } from '../../platform/context/fault.ts';
import { operatorWith } from '../../platform/http/access.ts';
import { listJobs, retryJob } from '../../platform/jobs/sql-list.ts';
import { operatorFaults } from './errors.ts';
import { announceNext, PAGE_KEYS, pageKey } from './paging.ts';
import { Done, OptionalText, PageQuery, WireAuditEntry, WireJob } from './schemas.ts';

export const recordRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/audit',
    {
      config: { access: operatorWith('read'), reads: 'replica' },
      schema: {
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
    },
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
    {
      config: { access: operatorWith('read') },
      schema: {
        operationId: 'operatorListJobs',
        summary: 'Work that waits, runs, is done or has failed, latest due time first',
        querystring: Type.Object({
          kind: OptionalText,
          state: Type.Optional(Type.Enum(['waiting', 'running', 'done', 'failed'])),
          ecpdId: OptionalText,
          limit: PageQuery.properties.limit,
        }),
        response: { 200: Type.Array(WireJob) },
      },
    },
    ({ ctx, query: { limit = 100, ...filter } }) => listJobs(ctx.db, { ...filter, limit }),
  );

  api.post(
    '/jobs/:jobId/retry',
    {
      config: { access: operatorWith('admin') },
      schema: {
        operationId: 'operatorRetryJob',
        summary: 'Runs a failed job again, with all its attempts',
        params: Type.Object({
          jobId: Type.String({ pattern: UUID_PATTERN }),
        }),
        response: { 200: Done },
      },
    },
    async ({ ctx, params }) =>
      (await retryJob(ctx.db, params.jobId, ctx.now())) ? { success: true } : refuse(operatorFaults.noJob),
  );
};
