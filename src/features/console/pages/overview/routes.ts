import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { signedIn, viewerOfAccount } from '../../../../platform/http/access.ts';
import { WireDeliveryHealth } from '../../../callbacks/index.ts';
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

const ACCOUNTS_PAGE = 20;

export const overviewRoutes: FastifyPluginAsyncTypebox = async (api) => {
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
        accounts: await listAccountUsage(ctx, accounts),
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
    ({ ctx, tenant, dialect }) => readUsageOverview(ctx, tenant, dialect.faults.accountUnknownInPath),
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
