import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { accountIn, calledBy } from '../../platform/http/access.ts';
import { parsePagePlace, toPagePlace } from '../../platform/http/page-place.ts';
import { refuseUnknownMembers } from '../../platform/http/unknown-member.ts';
import { countResends, resendCallbacks, resendPart } from './messages/resend-callbacks.ts';
import * as schemas from './schemas.ts';

const access = accountIn('params');
const dateOf = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms));

/** Sends failed callbacks again: those of a request at once, or any number of them counted first and then part by part. */
export const resendRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.post(
    '/callbacks/:accountName/resend',
    calledBy(
      access,
      {
        operationId: 'resendCallbacks',
        summary: 'Sends the failed callbacks of a request again, in a new series of attempts',
        params: schemas.AccountParams,
        body: schemas.ResendBody,
        response: { 200: schemas.ResendAnswer },
      },
      { cookie: 'callbacks' },
    ),
    async ({ ctx, tenant, body }) => ({
      resent: await resendCallbacks(ctx, tenant, { requestId: body.requestId }),
    }),
  );

  api.get(
    '/callbacks/:accountName/failed',
    calledBy(access, {
      operationId: 'countFailedCallbacks',
      summary: 'How many failed callbacks can be sent again, by service',
      params: schemas.AccountParams,
      querystring: schemas.FailedQuery,
      response: { 200: schemas.WireFailed },
    }),
    async ({ ctx, tenant, query: { since, until, ...filter } }) => {
      // The count includes callbacks that failed in this millisecond.
      const to = Math.min(until ?? Number.POSITIVE_INFINITY, ctx.now().getTime() + 1);
      const asked = { ...filter, since: dateOf(since), until: new Date(to) };
      return { ...(await countResends(ctx, tenant, asked)), until: to };
    },
  );

  api.post(
    '/callbacks/:accountName/failed/resend',
    calledBy(
      access,
      {
        operationId: 'resendFailedCallbacks',
        summary: 'Sends the next 2,000 failed callbacks again, oldest first',
        description:
          'The members of the body narrow down which callbacks are sent; without any, all failed callbacks of the account ' +
          'are. While the answer has `next`, call again with the same body and `after` set to it.',
        params: schemas.AccountParams,
        body: schemas.ResendFailedBody,
        response: { 200: schemas.ResendFailedAnswer },
      },
      { cookie: 'callbacks' },
    ),
    async ({ ctx, tenant, body, dialect }) => {
      if (body.requestId === undefined && body.messageIds === undefined)
        refuseUnknownMembers(body, schemas.ResendFailedBody, dialect.faults.invalid);
      const { since, until, after, ...filter } = body;
      const asked = { ...filter, since: dateOf(since), until: dateOf(until) };
      const { resent, next } = await resendPart(ctx, tenant, asked, parsePagePlace(after));
      return { resent, ...(next && { next: toPagePlace(next) }) };
    },
  );
};
