import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { accountIn } from '../../platform/http/access.ts';
import { type Account, findAccount } from '../accounts/index.ts';
import { createRequest } from './create-request.ts';
import { findAccountOfDevice } from './find-account-of-device.ts';
import { answerRequest } from './jobs.ts';
import { listUsage } from './list-usage.ts';
import { readAggregate, readBilled, readBilledUsage } from './read-request.ts';
import * as schemas from './schemas.ts';

/** An account deleted since the session was checked is gone for everyone. */
const accountOf = async (
  { ctx, dialect }: Pick<FastifyRequest, 'ctx' | 'dialect'>,
  tenant: Tenant,
): Promise<Account> => (await findAccount(ctx.db, tenant)) ?? refuse(dialect.faults.accountUnknownInBody);

const access = accountIn('body', { mayBeAbsent: true });

/** Mounted at /m2m/v2/devices. */
export const billingRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.post(
    '/usage/actions/billed',
    {
      config: { access },
      schema: {
        operationId: 'requestBillingSummary',
        summary:
          'Asks for what was billed, by APN or rating group, of an account or line by line; the answer is one or more DeviceUsage callbacks',
        body: schemas.BilledBody,
        response: { 200: schemas.Accepted },
      },
    },
    async (request) => {
      const asked = readBilled(request.body, await accountOf(request, request.tenant));
      return createRequest(request.ctx, request.tenant, asked, answerRequest);
    },
  );
};

/** Mounted at /m2m/v1. */
export const deviceUsageRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.post(
    '/devices/usage/actions/billedusage/list',
    {
      config: { access },
      schema: {
        operationId: 'requestBilledUsage',
        summary: 'Asks for what was billed in one month; the answer is one or more DeviceUsage callbacks',
        body: schemas.BilledUsageBody,
        response: { 200: schemas.Accepted },
      },
    },
    async (request) => {
      const asked = readBilledUsage(request.body, await accountOf(request, request.tenant));
      return createRequest(request.ctx, request.tenant, asked, answerRequest);
    },
  );

  api.post(
    '/devices/usage/actions/list/aggregate',
    {
      config: { access },
      schema: {
        operationId: 'requestAggregateUsage',
        summary:
          'Asks for the bytes that devices used in a time; the answer is one or more DeviceUsage callbacks',
        body: schemas.AggregateBody,
        response: { 200: schemas.Accepted },
      },
    },
    async (request) => {
      const asked = readAggregate(request.body, await accountOf(request, request.tenant), request.ctx.now());
      return createRequest(request.ctx, request.tenant, asked, answerRequest);
    },
  );

  api.post(
    '/devices/usage/actions/list',
    {
      config: {
        access: accountIn('body', { mayBeAbsent: true, orOfDevice: true }),
        query: true,
        reads: 'replica',
      },
      schema: {
        operationId: 'listDeviceUsage',
        summary: 'What a device, or all that carry a label, used day by day',
        body: schemas.UsageListBody,
        response: { 200: schemas.UsageHistory },
      },
    },
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
