import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { calledBy, viewerOfAccount } from '../../../platform/http/access.ts';
import { refuseUnknownMembers } from '../../../platform/http/unknown-member.ts';
import { countResends, FAILED_COUNTED_MAX, resendPart } from '../../callbacks/index.ts';
import {
  AccountParams,
  Milliseconds,
  OptionalText,
  ofAccount,
  PagePlace,
  parsePagePlace,
  toPagePlace,
} from '../schemas.ts';
import { MessageId, ServiceName } from './schemas.ts';

/** More than anybody selects one by one. */
const SELECTED_MAX = 500;

/** Each makes fewer of what is sent again; null and empty say nothing, and are no absence. */
const ResendBody = Type.Object({
  requestId: Type.Optional(Type.String({ selects: true, minLength: 1, maxLength: 128 })),
  messageIds: Type.Optional(Type.Array(MessageId, { selects: true, minItems: 1, maxItems: SELECTED_MAX })),
  serviceName: Type.Optional(Type.Unsafe<Static<typeof ServiceName>>({ ...ServiceName, selects: true })),
  since: Type.Optional(Type.Unsafe<number>({ ...Milliseconds, selects: true })),
  until: Type.Optional(Type.Unsafe<number>({ ...Milliseconds, selects: true })),
  after: Type.Optional(
    Type.Unsafe<string>({ ...PagePlace, selects: true, description: 'The next of the part before' }),
  ),
});

const dateOf = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms));

/** Sending again what failed: counted first, then part by part. */
export const resendRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/accounts/:accountName/callbacks/failed',
    ofAccount(
      'consoleCountFailed',
      'How many failed callbacks a re-send would take, by service',
      Type.Object({
        services: Type.Array(
          Type.Object({
            serviceName: Type.String(),
            failed: Type.Integer(),
            hasListener: Type.Boolean({ description: 'Without one they stay failed' }),
          }),
        ),
        isAll: Type.Boolean({ description: `Not where there are more than ${FAILED_COUNTED_MAX}` }),
        until: Type.Integer({
          description: 'To be given with the re-send: what comes after the count is not in it',
        }),
      }),
      {
        params: AccountParams,
        querystring: Type.Object({
          requestId: OptionalText,
          serviceName: Type.Optional(ServiceName),
          since: Type.Optional(Milliseconds),
          until: Type.Optional(Milliseconds),
        }),
      },
    ),
    async ({ ctx, tenant, query: { since, until, ...filter } }) => {
      // What came in this very millisecond counts too.
      const to = Math.min(until ?? Number.POSITIVE_INFINITY, ctx.now().getTime() + 1);
      const asked = { ...filter, since: dateOf(since), until: new Date(to) };
      return { ...(await countResends(ctx, tenant, asked)), until: to };
    },
  );

  api.post(
    '/accounts/:accountName/callbacks/resend',
    calledBy(
      viewerOfAccount('callbacks'),
      {
        operationId: 'consoleResendCallbacks',
        summary:
          'Sends failed callbacks again: some, those of a request, a service or a span of time, or all; part by part, the oldest first',
        params: AccountParams,
        body: ResendBody,
        response: {
          200: Type.Object({
            resent: Type.Integer(),
            next: Type.Optional(
              Type.String({ description: 'Where the next part begins; absent after the last' }),
            ),
          }),
        },
      },
      { idempotencyKey: true },
    ),
    async ({ ctx, tenant, body, dialect }) => {
      if (body.requestId === undefined && body.messageIds === undefined)
        refuseUnknownMembers(body, ResendBody, dialect.faults.invalid);
      const { since, until, after, ...filter } = body;
      const asked = { ...filter, since: dateOf(since), until: dateOf(until) };
      const { resent, next } = await resendPart(ctx, tenant, asked, parsePagePlace(after));
      return { resent, ...(next && { next: toPagePlace(next) }) };
    },
  );
};
