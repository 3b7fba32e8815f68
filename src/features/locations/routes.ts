import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { refuse } from '../../platform/context/fault.ts';
import { accountIn, calledBy } from '../../platform/http/access.ts';
import { toTextTimestamp } from '../consents/index.ts';
import { allowanceOf, findSubscription } from '../usage/index.ts';
import { locationFaults } from './errors.ts';
import { type LocateDeps, locateDevices } from './locate-devices.ts';
import { parseLocateRequest } from './parse-request.ts';
import { parseRange, reportUsage } from './report-usage.ts';
import * as schemas from './schemas.ts';
import { entryWriter, toWireUsage } from './wire.ts';

/** Limit of devices in a request that is answered at once. */
const DEVICES_MAX = 20;

interface LocationDeps extends LocateDeps {
  readonly prefix: string;
}

/** Mounted at /loc/v1. */
export const locationRoutes =
  ({ prefix, ...deps }: LocationDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    const write = entryWriter(prefix);

    api.post(
      '/locations',
      calledBy(
        accountIn('body'),
        {
          operationId: 'locateDevices',
          summary: 'Where up to 20 devices are, answered at once',
          body: schemas.LocateBody,
          response: { 200: Type.Array(schemas.WireEntry) },
        },
        { idempotencyKey: false },
      ),
      async ({ ctx, tenant, body }) => {
        const request = parseLocateRequest(body, DEVICES_MAX);
        const located = await locateDevices(ctx, tenant, request, deps);
        return located.map(({ msid, outcome }) => write.entry(msid, outcome, request.cacheMode));
      },
    );

    api.get(
      '/subscriptions/:accountName',
      calledBy(accountIn('params'), {
        operationId: 'readLocationSubscription',
        summary: 'What the account subscribed to for device location',
        params: schemas.AccountParams,
        response: { 200: schemas.WireSubscription },
      }),
      async ({ ctx, tenant }) => {
        const found =
          (await findSubscription(ctx.db, tenant, 'Location')) ?? refuse(locationFaults.unregisteredAccount);
        return {
          accountName: tenant.accountName,
          locType: found.skuName,
          maxAllowance: String(allowanceOf(found.skuName, found.allowance)),
          purchaseTime: toTextTimestamp(new Date(`${found.since}T00:00:00Z`)),
        };
      },
    );

    api.post(
      '/usage',
      calledBy(
        accountIn('body'),
        {
          operationId: 'reportLocationUsage',
          summary: 'Billable location requests in a range of days, both ends included',
          body: schemas.UsageBody,
          response: { 200: schemas.WireUsage },
        },
        { query: true },
      ),
      async ({ ctx, tenant, body }) => {
        const all = body.usageForAllAccounts ?? body.usageForAllAcounts ?? false;
        return toWireUsage(tenant.accountName, all, await reportUsage(ctx, tenant, parseRange(body), all));
      },
    );
  };
