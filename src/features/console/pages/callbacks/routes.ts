import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inTx } from '../../../../platform/context/context.ts';
import { refuse } from '../../../../platform/context/fault.ts';
import { viewerOfAccount } from '../../../../platform/http/access.ts';
import { refuseUnknownMembers } from '../../../../platform/http/unknown-member.ts';
import {
  EVENT_NAMES,
  EVENTS,
  postCallbacks,
  resendCallbacks,
  WireDelivery,
  type WithholdPayloads,
} from '../../../callbacks/index.ts';
import { AccountParams } from '../../schemas.ts';
import { listLog, readDelivery } from './read-callbacks.ts';
import { DeliveryParams, DeliveryQuery, ResendBody, WireDeliveries } from './schemas.ts';

const BEFORE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([0-9a-f-]{36})$/;

/** The log of an account's callbacks, and what can be sent. */
export const callbackRoutes =
  (withhold: WithholdPayloads): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/accounts/:accountName/callbacks/deliveries',
      {
        config: { access: viewerOfAccount() },
        schema: {
          operationId: 'consoleListDeliveries',
          summary: 'Callbacks of the account, newest first',
          params: AccountParams,
          querystring: DeliveryQuery,
          response: { 200: WireDeliveries },
        },
      },
      ({ ctx, tenant, dialect, query: { page, limit = 100, ...filter } }) => {
        const [, at, id] = BEFORE.exec(page ?? '') ?? [];
        if (page !== undefined && (at === undefined || id === undefined))
          refuse(dialect.faults.invalid, { reason: 'page is not the next of this list' });
        const before = at === undefined || id === undefined ? undefined : { at: new Date(at), id };
        return listLog(ctx, tenant, { ...filter, before, limit }, withhold);
      },
    );

    api.get(
      '/accounts/:accountName/callbacks/deliveries/:messageId',
      {
        config: { access: viewerOfAccount() },
        schema: {
          operationId: 'consoleReadDelivery',
          summary: 'One callback with its body, every attempt and what was answered',
          params: DeliveryParams,
          response: { 200: WireDelivery },
        },
      },
      ({ ctx, tenant, params }) => readDelivery(ctx, tenant, params.messageId, withhold),
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

    api.post(
      '/accounts/:accountName/callbacks/test',
      {
        config: { access: viewerOfAccount('callbacks') },
        schema: {
          operationId: 'consoleSendTestEvent',
          summary:
            'Sends the sample of a message to the listener of its service, as any other message is sent',
          params: AccountParams,
          body: Type.Object({ event: Type.Enum([...EVENT_NAMES]) }),
          response: { 200: Type.Object({ id: Type.String(), requestId: Type.String() }) },
        },
      },
      async ({ ctx, tenant, body: { event } }) => {
        const requestId = ctx.newId();
        const { serviceName, sample } = EVENTS[event];
        const { accountName } = tenant;
        const payload = { ...sample, requestId };
        const callback = { accountName, serviceName, requestId, payload };
        const [id] = await inTx(ctx, (tx) => postCallbacks(tx, tenant.ecpdId, [callback]));
        return { id: id!, requestId };
      },
    );
  };
