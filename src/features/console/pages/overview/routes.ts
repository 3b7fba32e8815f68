import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Ctx, Tenant } from '../../../../platform/context/context.ts';
import { signedIn, viewerOfAccount } from '../../../../platform/http/access.ts';
import { WireDeliveryHealth } from '../../../callbacks/index.ts';
import { readUsageMark } from '../../live/watches.ts';
import { AccountParams, OptionalText } from '../../schemas.ts';
import { listViewedAccounts } from '../../session/sql-accounts.ts';
import { accountsOf } from '../../session/viewed-accounts.ts';
import {
  listAccountUsage,
  readDeliveryOverview,
  readFiringOverview,
  readUsageOverview,
} from './read-overview.ts';
import { WireAccountUsage, WireFiringOverview, WireUsageOverview } from './schemas.ts';
import { shareReadings } from './share-readings.ts';

const ACCOUNTS_PAGE = 20;
/** Whoever has a page open counts the same lines, all at the moment when usage comes. */
const SHARED = { forMs: 10_000, keysMax: 200 };

/** Another key once anything was used, so that nobody is given what was read before a change that they were told of. */
const keyOf = async (ctx: Ctx, accounts: readonly Tenant[]): Promise<string> => {
  const tenMinutes = ctx.now().toISOString().slice(0, 15);
  return [
    tenMinutes,
    ...accounts.map(({ accountName }) => accountName),
    await readUsageMark(ctx, accounts),
  ].join(' ');
};

export const overviewRoutes: FastifyPluginAsyncTypebox = async (api) => {
  const shareOverview = shareReadings<Awaited<ReturnType<typeof readUsageOverview>>>(SHARED);
  const shareAccounts = shareReadings<Awaited<ReturnType<typeof listAccountUsage>>>(SHARED);

  api.get(
    '/usage/accounts',
    {
      config: { access: signedIn },
      schema: {
        operationId: 'consoleListAccountUsage',
        summary: 'What each account of the viewer has used of its allowance in its open billing month',
        querystring: Type.Object({ page: OptionalText }),
        response: { 200: WireAccountUsage },
      },
    },
    async ({ ctx, viewer, query: { page = '' } }) => {
      const asked = { among: accountsOf(viewer), search: undefined, after: page, limit: ACCOUNTS_PAGE };
      const accounts = await listViewedAccounts(ctx.db, asked);
      const last = accounts.at(-1);
      return {
        accounts: await shareAccounts(await keyOf(ctx, accounts), () => listAccountUsage(ctx, accounts)),
        ...(accounts.length === ACCOUNTS_PAGE && last && { next: last.accountName }),
      };
    },
  );

  api.get(
    '/accounts/:accountName/overview/usage',
    {
      config: { access: viewerOfAccount() },
      schema: {
        operationId: 'consoleReadUsageOverview',
        summary: 'Usage of the open billing month by plan, of the last 60 days, and devices by state',
        params: AccountParams,
        response: { 200: WireUsageOverview },
      },
    },
    async ({ ctx, tenant, dialect }) =>
      shareOverview(await keyOf(ctx, [tenant]), () =>
        readUsageOverview(ctx, tenant, dialect.faults.accountUnknownInPath),
      ),
  );

  api.get(
    '/accounts/:accountName/overview/firings',
    {
      config: { access: viewerOfAccount() },
      schema: {
        operationId: 'consoleReadFiringOverview',
        summary: 'How often triggers fired by day, and the last times with their reason',
        params: AccountParams,
        response: { 200: WireFiringOverview },
      },
    },
    ({ ctx, tenant, dialect }) => readFiringOverview(ctx, tenant, dialect.faults.accountUnknownInPath),
  );

  api.get(
    '/accounts/:accountName/overview/deliveries',
    {
      config: { access: viewerOfAccount() },
      schema: {
        operationId: 'consoleReadDeliveryOverview',
        summary: 'How the listeners of the account are doing, and what became of the last callbacks',
        params: AccountParams,
        response: { 200: WireDeliveryHealth },
      },
    },
    ({ ctx, tenant }) => readDeliveryOverview(ctx, tenant),
  );
};
