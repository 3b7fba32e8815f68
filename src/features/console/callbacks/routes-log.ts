import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { UUID_PATTERN, UUID_SHAPE } from '../../../kernel/uuid.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { viewerOfAccount } from '../../../platform/http/access.ts';
import { refuseUnknownMembers } from '../../../platform/http/unknown-member.ts';
import {
  type Delivery,
  listDeliveries,
  resendCallbacks,
  WireDelivery,
  type WithholdPayloads,
} from '../../callbacks/index.ts';
import { consoleFaults } from '../errors.ts';
import { AccountParams, next, OptionalText, ofAccount, PageQuery, TextOrNull } from '../schemas.ts';
import { ServiceName } from './routes.ts';

const MessageId = Type.String({ pattern: UUID_PATTERN });
/** Each makes fewer of what is sent again; null and empty say nothing, and are no absence. */
const ResendBody = Type.Object({
  requestId: Type.Optional(Type.String({ selects: true, minLength: 1, maxLength: 128 })),
  messageId: Type.Optional(Type.Unsafe<string>({ ...MessageId, selects: true })),
  serviceName: Type.Optional(Type.Unsafe<Static<typeof ServiceName>>({ ...ServiceName, selects: true })),
});

const { id, requestId, serviceName, state, createdAt, nextAttemptAt } = WireDelivery.properties;
const WireDeliveries = Type.Object({
  deliveries: Type.Array(
    Type.Object({
      ...{ id, requestId, serviceName, state, createdAt, nextAttemptAt },
      attempts: Type.Integer(),
      lastOutcome: TextOrNull,
    }),
  ),
  next,
});

/** What came of the last attempt: an answer's status, or why there was none. */
function lastOutcome({ attempts }: Delivery): string | null {
  const last = attempts.at(-1);
  if (last === undefined) return null;
  return last.status === null ? (last.error ?? 'no answer') : String(last.status);
}

/** Where a page ended: many callbacks may have the same time, in milliseconds since 1970. */
const PAGE = `^[0-9]{1,14}~${UUID_SHAPE}$`;
function parsePage(page: string | undefined) {
  const [at, last] = page?.split('~') ?? [];
  return last === undefined ? undefined : { at: new Date(Number(at)), id: last };
}

/** The log of an account's callbacks. */
export const deliveryRoutes =
  (withhold: WithholdPayloads): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/accounts/:accountName/callbacks/deliveries',
      ofAccount('consoleListDeliveries', 'Callbacks of the account, newest first', WireDeliveries, {
        params: AccountParams,
        querystring: Type.Object({
          requestId: OptionalText,
          serviceName: Type.Optional(ServiceName),
          state: Type.Optional(Type.Enum(['pending', 'delivered', 'failed'])),
          page: Type.Optional(Type.String({ pattern: PAGE })),
          limit: PageQuery.properties.limit,
        }),
      }),
      async ({ ctx, tenant, query: { page, limit = 100, ...filter } }) => {
        const asked = { ...filter, tenant, before: parsePage(page), limit };
        const deliveries = await listDeliveries(ctx, asked, withhold);
        const last = deliveries.at(-1);
        return {
          deliveries: deliveries.map((delivery) => ({
            ...delivery,
            attempts: delivery.attempts.length,
            lastOutcome: lastOutcome(delivery),
          })),
          ...(deliveries.length === limit && last && { next: `${last.createdAt.getTime()}~${last.id}` }),
        };
      },
    );

    api.get(
      '/accounts/:accountName/callbacks/deliveries/:messageId',
      ofAccount(
        'consoleReadDelivery',
        'One callback with its body, every attempt and what was answered',
        WireDelivery,
        { params: Type.Object({ ...AccountParams.properties, messageId: MessageId }) },
      ),
      async ({ ctx, tenant, params: { messageId } }) => {
        const [delivery] = await listDeliveries(ctx, { tenant, messageId, limit: 1 }, withhold);
        return delivery ?? refuse(consoleFaults.noDelivery);
      },
    );

    api.post(
      '/accounts/:accountName/callbacks/resend',
      {
        config: { access: viewerOfAccount('callbacks') },
        schema: {
          operationId: 'consoleResendCallbacks',
          summary: 'Sends failed callbacks again: one, those of a request or of a service, or all',
          params: AccountParams,
          body: ResendBody,
          response: { 200: Type.Object({ resent: Type.Integer() }) },
        },
      },
      async ({ ctx, tenant, body, dialect }) => {
        if (body.requestId === undefined && body.messageId === undefined)
          refuseUnknownMembers(body, ResendBody, dialect.faults.invalid);
        return { resent: await resendCallbacks(ctx, tenant, body) };
      },
    );
  };
