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

/** An account that was deleted after the check of the session counts as unknown. */
const accountOf = async (
  { ctx, dialect }: Pick<FastifyRequest, 'ctx' | 'dialect'>,
  tenant: Tenant,
): Promise<Account> => (await findAccount(ctx.db, tenant)) ?? refuse(dialect.faults.accountUnknownInBody);

type Api = Parameters<FastifyPluginAsyncTypebox>[0];

/** Adds a call that callbacks answer. */
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
    'Requests the billed usage of an account or of each line, by APN or rating group; one or more DeviceUsage callbacks answer';
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
    summary: 'Requests the billed usage of one month; one or more DeviceUsage callbacks answer',
    body: schemas.BilledUsageBody,
  };
  addRequest(api, '/devices/usage/actions/billedusage/list', billedUsage, parseBilledUsage);

  const aggregateUsage = {
    operationId: 'requestAggregateUsage',
    summary: 'Requests the bytes that devices used in a period; one or more DeviceUsage callbacks answer',
    body: schemas.AggregateBody,
  };
  addRequest(api, '/devices/usage/actions/list/aggregate', aggregateUsage, parseAggregate);

  api.post(
    '/devices/usage/actions/list',
    calledBy(
      accountIn('body', { mayBeAbsent: true, orOfDevice: true }),
      {
        operationId: 'listDeviceUsage',
        summary: 'The daily usage of a device, or of all devices with a label',
        body: schemas.UsageListBody,
        response: { 200: schemas.UsageHistory },
      },
      { query: true, reads: 'replica' },
    ),
    async (request) => {
      const named = request.tenant as Tenant | undefined;
      const tenant = named ?? (await findAccountOfDevice(request.ctx, request.principal, request.body));
      const account = await accountOf(request, tenant);
      // Uses its own connection, because a label may stand for thousands of devices.
      return request.ctx.db.tx((db) => listUsage({ ...request.ctx, db }, account, request.body), {
        readOnly: true,
      });
    },
  );
};
