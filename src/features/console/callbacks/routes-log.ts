import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { refuse } from '../../../platform/context/fault.ts';
import {
  type Delivery,
  findAttemptRequest,
  listDeliveries,
  WireAttemptRequest,
  WireDelivery,
  type WithholdPayloads,
} from '../../callbacks/index.ts';
import { consoleFaults } from '../errors.ts';
import {
  AccountParams,
  next,
  OptionalText,
  ofAccount,
  PagePlace,
  PageQuery,
  parsePagePlace,
  TextOrNull,
  toPagePlace,
} from '../schemas.ts';
import { MessageId, ServiceName } from './schemas.ts';

const AttemptParams = Type.Object({
  ...AccountParams.properties,
  messageId: MessageId,
  series: Type.Integer({ minimum: 1, maximum: 32_767 }),
  attempt: Type.Integer({ minimum: 1, maximum: 32_767 }),
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

export interface LogDeps {
  readonly withhold: WithholdPayloads;
  /** What callbacks say that they are sent by. */
  readonly userAgent: string;
}

/** The log of an account's callbacks. */
export const deliveryRoutes =
  ({ withhold, userAgent }: LogDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/accounts/:accountName/callbacks/deliveries',
      ofAccount('consoleListDeliveries', 'Callbacks of the account, newest first', WireDeliveries, {
        params: AccountParams,
        querystring: Type.Object({
          requestId: OptionalText,
          serviceName: Type.Optional(ServiceName),
          state: Type.Optional(Type.Enum(['pending', 'delivered', 'failed'])),
          page: Type.Optional(PagePlace),
          limit: PageQuery.properties.limit,
        }),
      }),
      async ({ ctx, tenant, query: { page, limit = 100, ...filter } }) => {
        const asked = { ...filter, tenant, before: parsePagePlace(page), limit };
        const deliveries = await listDeliveries(ctx, asked, withhold);
        const last = deliveries.at(-1);
        return {
          deliveries: deliveries.map((delivery) => ({
            ...delivery,
            attempts: delivery.attempts.length,
            lastOutcome: lastOutcome(delivery),
          })),
          ...(deliveries.length === limit &&
            last && { next: toPagePlace({ at: last.createdAt, id: last.id }) }),
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

    api.get(
      '/accounts/:accountName/callbacks/deliveries/:messageId/attempts/:series/:attempt',
      ofAccount(
        'consoleReadAttempt',
        'The request of one attempt, made again from the message: headers, body, and whether its signature verifies',
        WireAttemptRequest,
        { params: AttemptParams },
      ),
      async ({ ctx, tenant, params }) =>
        (await findAttemptRequest(ctx, tenant, params, { withhold, userAgent })) ??
        refuse(consoleFaults.noDelivery),
    );
  };
