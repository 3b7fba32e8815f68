import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { refuse } from '../../platform/context/fault.ts';
import { accountIn, calledBy } from '../../platform/http/access.ts';
import { parsePagePlace, toPagePlace } from '../../platform/http/page-place.ts';
import { callbackFaults } from './errors.ts';
import { findAttemptRequest } from './messages/attempt-request.ts';
import { type Delivery, listDeliveries } from './messages/delivery-log.ts';
import * as schemas from './schemas.ts';
import type { WithholdPayloads } from './send-callback.ts';

const access = accountIn('params');

/** The status of the last answer, or why there was none. */
function lastOutcome({ attempts }: Delivery): string | null {
  const last = attempts.at(-1);
  if (last === undefined) return null;
  return last.status === null ? (last.error ?? 'no answer') : String(last.status);
}

export interface LogDeps {
  readonly withhold: WithholdPayloads;
  /** The user agent of callbacks. */
  readonly userAgent: string;
}

/** The delivery log of an account. */
export const logRoutes =
  ({ withhold, userAgent }: LogDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/callbacks/:accountName/deliveries',
      calledBy(access, {
        operationId: 'listDeliveries',
        summary: 'Callbacks of the account, newest first, with every attempt',
        params: schemas.AccountParams,
        querystring: schemas.DeliveryQuery,
        response: { 200: schemas.WireDeliveries },
      }),
      ({ ctx, tenant, query: { limit = 100, ...filter } }) =>
        listDeliveries(ctx, { ...filter, tenant, limit }, withhold),
    );

    api.get(
      '/callbacks/:accountName/log',
      calledBy(access, {
        operationId: 'listDeliveryLog',
        summary: 'The delivery log of the account, newest first, page by page',
        description:
          'Each entry has the state of a callback, the number of attempts and the outcome of the last one. ' +
          'Read a single delivery for its payload and its attempts.',
        params: schemas.AccountParams,
        querystring: schemas.LogQuery,
        response: { 200: schemas.WireLog },
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
      '/callbacks/:accountName/deliveries/:messageId',
      calledBy(access, {
        operationId: 'readDelivery',
        summary: 'One callback with its payload, every attempt and the answer to each',
        params: schemas.DeliveryParams,
        response: { 200: schemas.WireDelivery },
      }),
      async ({ ctx, tenant, params: { messageId } }) => {
        const [delivery] = await listDeliveries(ctx, { tenant, messageId, limit: 1 }, withhold);
        return delivery ?? refuse(callbackFaults.noDelivery);
      },
    );

    api.get(
      '/callbacks/:accountName/deliveries/:messageId/attempts/:series/:attempt',
      calledBy(access, {
        operationId: 'readDeliveryAttempt',
        summary: 'The HTTP request of one attempt: URL, headers, body, and whether its signature verifies',
        description:
          'The request is made again from the message and the current secrets of the listener. It leaves out username ' +
          'and password. It leaves out the signature too if that cannot be made again, and a position whose consent ' +
          'was withdrawn.',
        params: schemas.AttemptParams,
        response: { 200: schemas.WireAttemptRequest },
      }),
      async ({ ctx, tenant, params }) =>
        (await findAttemptRequest(ctx, tenant, params, { withhold, userAgent })) ??
        refuse(callbackFaults.noDelivery),
    );
  };
