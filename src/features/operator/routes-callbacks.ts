import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import type { AccountName } from '../../kernel/account-name.ts';
import { inTx } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { refuseUnknownMembers } from '../../platform/http/unknown-member.ts';
import { findAccountByName } from '../accounts/index.ts';
import { LISTENER_SERVICES } from '../callback-payloads/index.ts';
import {
  listDeliveries,
  postCallbacks,
  resendCallbacks,
  resendRequest,
  WireDelivery,
  type WithholdPayloads,
} from '../callbacks/index.ts';
import { findNamedAccount, parseTime, withScope } from './route.ts';
import { OptionalText, PageQuery } from './schemas.ts';

const ServiceName = Type.Enum([...LISTENER_SERVICES]);

/** Each member narrows the selection. Null and empty values are refused, because they do not count as absent. */
const FEWER = { selects: true, minLength: 1 };
const ResendBody = Type.Object({
  requestId: Type.Optional(Type.String({ ...FEWER, maxLength: 128 })),
  accountName: Type.Optional(
    Type.String({
      ...FEWER,
      maxLength: 128,
      description: 'Without requestId, all failed callbacks of the account; unknown members are then refused',
    }),
  ),
  serviceName: Type.Optional(Type.Unsafe<Static<typeof ServiceName>>({ ...ServiceName, selects: true })),
  since: Type.Optional(Type.String({ ...FEWER, maxLength: 40 })),
  state: Type.Optional(Type.Enum(['failed'])),
});

export const callbackRoutes =
  (withhold: WithholdPayloads): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/callbacks',
      withScope('read', {
        operationId: 'operatorListCallbacks',
        summary: 'Lists callbacks of all accounts, newest first, with every attempt',
        querystring: Type.Object({
          accountName: OptionalText,
          requestId: OptionalText,
          serviceName: Type.Optional(Type.String({ maxLength: 64 })),
          state: Type.Optional(Type.Enum(['pending', 'delivered', 'failed'])),
          limit: PageQuery.properties.limit,
        }),
        response: { 200: Type.Array(WireDelivery) },
      }),
      async ({ ctx, query: { limit = 100, accountName, ...filter } }) => {
        if (accountName === undefined) return listDeliveries(ctx, { ...filter, limit }, withhold);
        const tenant = await findAccountByName(ctx.db, accountName as AccountName);
        return tenant === undefined ? [] : listDeliveries(ctx, { ...filter, tenant, limit }, withhold);
      },
    );

    api.post(
      '/callbacks/resend',
      withScope('callbacks', {
        operationId: 'operatorResendCallbacks',
        summary: 'Resends failed callbacks of a request, or of an account since a time',
        body: ResendBody,
        response: { 200: Type.Object({ resent: Type.Integer() }) },
      }),
      async ({ ctx, body, dialect }) => {
        const { requestId, accountName, serviceName, since } = body;
        if (requestId === undefined) refuseUnknownMembers(body, ResendBody, dialect.faults.invalid);
        if (accountName !== undefined) {
          const filter = {
            requestId,
            serviceName,
            since: since === undefined ? undefined : parseTime('since', since),
          };
          return { resent: await resendCallbacks(ctx, await findNamedAccount(ctx, accountName), filter) };
        }
        if (requestId === undefined)
          refuse(dialect.faults.invalid, { reason: 'give requestId or accountName' });
        return { resent: await resendRequest(ctx, requestId) };
      },
    );

    api.post(
      '/events',
      withScope('callbacks', {
        operationId: 'operatorSendEvent',
        summary:
          'Sends a callback of any service through the normal delivery: credentials, signature, retries, archive',
        body: Type.Object({
          accountName: Type.String({ maxLength: 32 }),
          serviceName: ServiceName,
          requestId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
          payload: Type.Object({}, { additionalProperties: true }),
        }),
        response: { 200: Type.Object({ id: Type.String(), requestId: Type.String() }) },
      }),
      async ({ ctx, body: { accountName, serviceName, requestId = ctx.newId(), payload } }) => {
        const account = await findNamedAccount(ctx, accountName);
        const callback = { accountName, serviceName, requestId, payload: { requestId, ...payload } };
        const [id] = await inTx(ctx, (tx) => postCallbacks(tx, account.ecpdId, [callback]));
        return { id: id!, requestId };
      },
    );
  };
