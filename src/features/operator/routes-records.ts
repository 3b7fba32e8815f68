import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { UUID_PATTERN } from '../../kernel/uuid.ts';
import { listAudit } from '../../platform/context/audit.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { listJobs, retryJob } from '../../platform/jobs/sql-list.ts';
import { listNamesOfDevices } from '../devices/index.ts';
import {
  htmlOf,
  listNotifications,
  NotificationState,
  WireMail,
  WireNotification,
} from '../notifications/index.ts';
import { operatorFaults } from './errors.ts';
import { announceNext, beforeOf, doneOr, PAGE_KEYS, paged, pageKey, withScope } from './route.ts';
import { Done, OptionalText, PageQuery, WireAuditEntry, WireJob } from './schemas.ts';

const UUID = new RegExp(UUID_PATTERN);

type Audited = Awaited<ReturnType<typeof listAudit>>;
/** Adds the names by which readers of the log know devices. */
async function withNames({ db }: Ctx, rows: Audited) {
  const targets = rows.flatMap(({ ecpdId, target: deviceId }) =>
    deviceId !== null && UUID.test(deviceId) ? { ecpdId, deviceId } : [],
  );
  const names = await listNamesOfDevices(db, targets);
  return rows.map((row) => {
    const targetName = row.target === null ? undefined : names.get(row.target);
    return { ...row, ...(targetName !== undefined && { targetName }) };
  });
}

export const recordRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/audit',
    withScope(
      'read',
      {
        operationId: 'operatorListAudit',
        summary: 'Lists who did what, newest first',
        querystring: Type.Object({
          ...PageQuery.properties,
          accountName: OptionalText,
          actor: OptionalText,
          action: OptionalText,
          changes: Type.Optional(
            Type.Boolean({
              description:
                'Only changes by people and clients: no reads, no feeds, no automatic actions of the service',
            }),
          ),
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
      return withNames(ctx, rows);
    },
  );

  api.get(
    '/jobs',
    withScope('read', {
      operationId: 'operatorListJobs',
      summary: 'Lists waiting, running, done and failed jobs, latest due time first',
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
      summary: 'Runs a failed job again with its full number of attempts',
      params: Type.Object({ jobId: Type.String({ pattern: UUID_PATTERN }) }),
      response: { 200: Done },
    }),
    ({ ctx, params }) => doneOr(retryJob(ctx.db, params.jobId, ctx.now()), operatorFaults.noJob),
  );
};

const InboxQuery = Type.Object({
  ...PageQuery.properties,
  accountName: OptionalText,
  triggerId: OptionalText,
  state: Type.Optional(NotificationState),
});

/** Notifications to people: waiting, sent, captured or failed. */
export const notificationRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/mail',
    withScope('read', {
      operationId: 'operatorListMail',
      summary: 'Lists posted mail, newest first, with its HTML and the outcome for each recipient',
      querystring: InboxQuery,
      response: { 200: Type.Array(WireMail) },
    }),
    async ({ ctx, query: { page, limit = 100, ...filter } }, reply) => {
      const of = { ...filter, channel: 'mail', before: beforeOf(page), limit } as const;
      const rows = await listNotifications(ctx.db, of);
      const mails = rows.map((row) => ({ ...row, html: htmlOf(row.subject, row.text) }));
      return paged(reply, mails, limit, ({ at, id }) => `${at.toISOString()} ${id}`);
    },
  );

  api.get(
    '/sms',
    withScope('read', {
      operationId: 'operatorListSms',
      summary: 'Lists posted SMS, newest first, with the outcome for each recipient',
      querystring: InboxQuery,
      response: { 200: Type.Array(WireNotification) },
    }),
    async ({ ctx, query: { page, limit = 100, ...filter } }, reply) => {
      const rows = await listNotifications(ctx.db, {
        ...filter,
        channel: 'sms',
        before: beforeOf(page),
        limit,
      });
      return paged(reply, rows, limit, ({ at, id }) => `${at.toISOString()} ${id}`);
    },
  );
};
