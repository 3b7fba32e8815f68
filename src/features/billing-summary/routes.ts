import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { accountIn, calledBy } from '../../platform/http/access.ts';
import { type Account, findAccount } from '../accounts/index.ts';
import { findAccountOfDevice, listUsage } from './list-usage.ts';
import { parseAggregate, parseBilled, parseBilledUsage } from './parse-request.ts';
import { createRequest } from './requests.ts';
import * as schemas from './schemas.ts';
import type { Asked } from './summary-request.ts';

/** An account deleted since the session was checked is gone for everyone. */
const accountOf = async (
  { ctx, dialect }: Pick<FastifyRequest, 'ctx' | 'dialect'>,
  tenant: Tenant,
): Promise<Account> => (await findAccount(ctx.db, tenant)) ?? refuse(dialect.faults.accountUnknownInBody);

type Api = Parameters<FastifyPluginAsyncTypebox>[0];

/** A call that is answered by callbacks. */
const addRequest = <Body extends TSchema>(
  api: Api,
  url: string,
  schema: { readonly operationId: string; readonly summary: string; readonly body: Body },
  parse: (body: Static<Body>, account: Account, now: Date) => Asked,
) =>
  api.post(
    url,
    calledBy(accountIn('body', { mayBeAbsent: true }), { ...schema, response: { 200: schemas.Accepted } }),
    async (request) => {
      const { ctx, tenant, body } = request;
      const account = await accountOf(request, tenant);
      return createRequest(ctx, tenant, parse(body as Static<Body>, account, ctx.now()));
    },
  );

/** Mounted at /m2m/v2/devices. */
export const billingRoutes: FastifyPluginAsyncTypebox = async (api) => {
  const summary =
    'Asks for what was billed, by APN or rating group, of an account or line by line; the answer is one or more DeviceUsage callbacks';
  const body = schemas.BilledBody;
  addRequest(
    api,
    '/usage/actions/billed',
    { operationId: 'requestBillingSummary', summary, body },
    parseBilled,
  );
};

/** Mounted at /m2m/v1. */
export const deviceUsageRoutes: FastifyPluginAsyncTypebox = async (api) => {
  const billedUsage = {
    operationId: 'requestBilledUsage',
    summary: 'Asks for what was billed in one month; the answer is one or more DeviceUsage callbacks',
    body: schemas.BilledUsageBody,
  };
  addRequest(api, '/devices/usage/actions/billedusage/list', billedUsage, parseBilledUsage);

  const aggregateUsage = {
    operationId: 'requestAggregateUsage',
    summary:
      'Asks for the bytes that devices used in a time; the answer is one or more DeviceUsage callbacks',
    body: schemas.AggregateBody,
  };
  addRequest(api, '/devices/usage/actions/list/aggregate', aggregateUsage, parseAggregate);

  api.post(
    '/devices/usage/actions/list',
    calledBy(
      accountIn('body', { mayBeAbsent: true, orOfDevice: true }),
      {
        operationId: 'listDeviceUsage',
        summary: 'What a device, or all that carry a label, used day by day',
        body: schemas.UsageListBody,
        response: { 200: schemas.UsageHistory },
      },
      { query: true, reads: 'replica' },
    ),
    async (request) => {
      const named = request.tenant as Tenant | undefined;
      const tenant = named ?? (await findAccountOfDevice(request.ctx, request.principal, request.body));
      const account = await accountOf(request, tenant);
      // A connection of its own: a label may stand for thousands of devices.
      return request.ctx.db.tx((db) => listUsage({ ...request.ctx, db }, account, request.body), {
        readOnly: true,
      });
    },
  );
};
