import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { listDoubts } from '../data-sessions/index.ts';
import { listNamesOfDevices } from '../devices/index.ts';
import { getStatement, StatementParams, toWireStatement, WireStatement } from '../managed-accounts/index.ts';
import { listServiceStates, METERED_SERVICES, type ReconcileCursor, reconcileUsage } from '../usage/index.ts';
import { announceNext, findNamedAccount, PAGE_KEYS, paged, pageKey, withScope } from './route.ts';
import { AccountParams, OptionalText, PageQuery, WireDoubtfulUsage, WireUsageDifference } from './schemas.ts';

const toKey = (cursor: ReconcileCursor): string =>
  cursor.what === 'days' ? `day ${cursor.from}` : `device ${cursor.after ?? ''}`;

function fromKey(key: string | undefined): ReconcileCursor | undefined {
  const [what, at] = key?.split(' ') ?? [];
  if (what === 'day') return { what: 'days', from: at! };
  return what === 'device' ? { what: 'devices', after: at || undefined } : undefined;
}

export const usageRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/usage/differences',
    withScope(
      'read',
      {
        operationId: 'operatorListUsageDifferences',
        summary:
          'Sums the usage ledger of an account again and compares it with the counters, one part per page: ' +
          'follow X-Next to the end, even if a page has no differences. It changes nothing',
        querystring: Type.Object({
          accountName: Type.String({ maxLength: 32 }),
          page: Type.Optional(Type.String({ maxLength: 200 })),
        }),
        response: {
          200: Type.Object({ checked: Type.Integer(), differences: Type.Array(WireUsageDifference) }),
        },
      },
      { reads: 'replica' },
    ),
    async ({ ctx, query }, reply) => {
      const tenant = await findNamedAccount(ctx, query.accountName);
      const cursor = fromKey(pageKey(query.page, PAGE_KEYS.usage));
      const { next, ...compared } = await reconcileUsage(ctx, tenant, cursor);
      if (next !== undefined) announceNext(reply, toKey(next));
      return compared;
    },
  );

  api.get(
    '/usage/doubtful',
    withScope(
      'read',
      {
        operationId: 'operatorListDoubtfulUsage',
        summary:
          'Lists usage of data sessions that may have been counted twice, because the reports of the access server can be read ' +
          'in several ways. Newest first',
        querystring: Type.Object({ ...PageQuery.properties, accountName: OptionalText }),
        response: { 200: Type.Array(WireDoubtfulUsage) },
      },
      { reads: 'replica' },
    ),
    async ({ ctx, query: { page, limit = 100, accountName } }, reply) => {
      const account = accountName === undefined ? undefined : await findNamedAccount(ctx, accountName);
      const [at, recordId] = pageKey(page, PAGE_KEYS.timeAndName)?.split(' ') ?? [];
      const before = at === undefined ? undefined : { at: new Date(at), recordId: recordId! };
      const of = { ecpdId: account?.ecpdId, accountName: account?.accountName };
      const rows = await listDoubts(ctx.db, { ...of, before, limit });
      const names = await listNamesOfDevices(ctx.db, rows);
      const doubts = rows.map(({ ecpdId: _ecpdId, deviceId, ...row }) => ({
        ...row,
        device: names.get(deviceId) ?? null,
      }));
      return paged(reply, doubts, limit, (last) => `${last.noticedAt.toISOString()} ${last.recordId}`);
    },
  );

  api.get(
    '/accounts/:accountName/statements/:serviceName/:month',
    withScope('read', {
      operationId: 'operatorReadStatement',
      summary:
        'Reads what an account is billed for in a month: its own uses and those of the accounts it pays for',
      params: Type.Object({
        ...StatementParams.properties,
        serviceName: Type.Enum([...METERED_SERVICES]),
      }),
      response: { 200: WireStatement },
    }),
    async ({ ctx, params: { accountName, ...named } }) => {
      const account = await findNamedAccount(ctx, accountName);
      return toWireStatement({ accountName, ...named }, await getStatement(ctx, account, named));
    },
  );

  api.get(
    '/accounts/:accountName/services',
    withScope('read', {
      operationId: 'operatorListServices',
      summary:
        'Lists the subscribed services of an account, their use this month, and whether more use is to be accepted: for ' +
        'other systems that provide a metered service',
      params: AccountParams,
      response: {
        200: Type.Array(
          Type.Object({
            serviceName: Type.Enum([...METERED_SERVICES]),
            skuName: Type.String(),
            since: Type.String({ format: 'date' }),
            allowed: Type.Number(),
            used: Type.Number(),
            open: Type.Boolean(),
          }),
        ),
      },
    }),
    async ({ ctx, params }) => listServiceStates(ctx, await findNamedAccount(ctx, params.accountName)),
  );
};
