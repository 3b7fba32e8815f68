import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { isAccountName } from '../../kernel/account-name.ts';
import { UUID_PATTERN } from '../../kernel/uuid.ts';
import { refuse } from '../../platform/context/fault.ts';
import { calledBy, operatorWith } from '../../platform/http/access.ts';
import { findAccountByName } from '../accounts/index.ts';
import { requestLogFaults } from './errors.ts';
import { listRequests } from './list-calls.ts';
import { MINUTES_MAX, recordAccount } from './recordings.ts';
import { WireCall } from './schemas.ts';
import { writeCurl } from './write-curl.ts';

export interface RequestLogDeps {
  /** Resolves when all ended calls are in the log. */
  readonly flush: () => Promise<void>;
  /** How many calls are kept. */
  readonly kept: number;
  readonly sessionHeader: string;
  readonly realNow: () => Date;
}

/** Limits of each kind of effect, in a list and for one request. */
const [CAUSED_IN_LIST, CAUSED_OF_ONE] = [20, 1_000];
const CallId = Type.String({ pattern: UUID_PATTERN });
const OptionalText = Type.Optional(Type.String({ maxLength: 128 }));

/** Otherwise reading the log would fill it. */
const reading = { access: operatorWith('read'), logged: false } as const;

function parseSince(text: string): Date {
  const at = new Date(text);
  const reason = 'since is not an ISO 8601 date and time';
  return Number.isNaN(at.getTime()) ? refuse(requestLogFaults.badTime, { reason }) : at;
}

/** Mounted at /operator/v1. */
export const requestLogRoutes =
  ({ flush, kept, sessionHeader, realNow }: RequestLogDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/requests',
      {
        config: reading,
        schema: {
          operationId: 'operatorListRequests',
          summary: 'Lists the newest calls of the API with what each caused, newest first',
          querystring: Type.Object({
            operation: OptionalText,
            accountName: OptionalText,
            status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
            since: Type.Optional(Type.String({ maxLength: 40 })),
            after: Type.Optional(
              Type.String({
                pattern: UUID_PATTERN,
                description: 'Only calls newer than this one, oldest first',
              }),
            ),
            page: Type.Optional(CallId),
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
          }),
          response: { 200: Type.Array(WireCall) },
        },
      },
      async ({ ctx, query: { since, page, limit = 100, ...filter } }, reply) => {
        await flush();
        const found = await listRequests(
          ctx,
          { ...filter, since: since === undefined ? undefined : parseSince(since), before: page, limit },
          CAUSED_IN_LIST,
        );
        const last = found.at(-1);
        if (found.length === limit && filter.after === undefined) reply.header('x-next', last!.wire.id);
        return found.map(({ wire }) => wire);
      },
    );

    api.get(
      '/requests/:id',
      {
        config: reading,
        schema: {
          operationId: 'operatorReadRequest',
          summary: 'Reads one call of the API with everything it caused, also as a curl command',
          params: Type.Object({ id: CallId }),
          response: { 200: WireCall },
        },
      },
      async ({ ctx, params }) => {
        await flush();
        const [found] = await listRequests(ctx, { id: params.id, limit: 1 }, CAUSED_OF_ONE);
        if (found === undefined) return refuse(requestLogFaults.noCall);
        const { row, wire } = found;
        return { ...wire, curl: writeCurl({ ...wire, request: row.request }, sessionHeader) };
      },
    );

    api.put(
      '/requests/recording',
      calledBy(operatorWith('admin'), {
        operationId: 'operatorRecordRequests',
        summary: 'Logs the calls of one account for a time if not all are logged; 0 minutes ends it',
        body: Type.Object({
          accountName: Type.String({ maxLength: 32 }),
          minutes: Type.Integer({ minimum: 0, maximum: MINUTES_MAX }),
        }),
        response: { 200: Type.Object({ accountName: Type.String(), until: Type.String() }) },
      }),
      async ({ ctx, body: { accountName, minutes } }) => {
        if (kept === 0) refuse(requestLogFaults.off);
        const account = isAccountName(accountName) ? await findAccountByName(ctx.db, accountName) : undefined;
        if (account === undefined) return refuse(requestLogFaults.noAccount);
        const until = await recordAccount(ctx, account, minutes, realNow);
        return { accountName, until: until.toISOString() };
      },
    );
  };
