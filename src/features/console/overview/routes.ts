import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { signedIn } from '../../../platform/http/access.ts';
import { next, PagePlace, parsePagePlace, toPagePlace } from '../../../platform/http/page-place.ts';
import { deviceName } from '../../firings/index.ts';
import { findUsageMark } from '../live/marks.ts';
import { nameTriggers, WireFiringByName } from '../name-triggers.ts';
import { AccountParams, NumberOrNull, OptionalText, ofAccount, PageQuery, TextOrNull } from '../schemas.ts';
import { accountsOf, listViewedAccounts } from '../session/viewed-accounts.ts';
import {
  getFiringOverview,
  getUsageOverview,
  listAccountUsage,
  listFiringsOfPeriod,
} from './get-overview.ts';
import { shareAnswers } from './share-answers.ts';

/** A year can be compared with the previous one. The ledger keeps no more. */
const PERIOD = {
  params: AccountParams,
  querystring: Type.Object({
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 366,
        description: 'Days of the period, today included; 60 by default',
      }),
    ),
  }),
};
const DAYS_SHOWN = 60;

const ofAllowance = { usedBytes: Type.Number(), allowanceBytes: NumberOrNull };

const UsedDay = Type.Object({ day: Type.String(), bytes: Type.Number() });
const FiredDay = Type.Object({ day: Type.String(), firings: Type.Integer() });

const WireUsageOverview = Type.Object({
  cycle: Type.Object({ from: Type.String(), to: Type.String({ description: 'The first day after it' }) }),
  ...ofAllowance,
  plans: Type.Array(
    Type.Object({
      planCode: Type.String(),
      planName: TextOrNull,
      lines: Type.Integer(),
      ...ofAllowance,
    }),
  ),
  days: Type.Array(UsedDay),
  before: Type.Array(UsedDay, { description: 'The same number of days before the period' }),
  states: Type.Array(Type.Object({ state: Type.String(), devices: Type.Integer() })),
});

const WireAccounts = Type.Object({
  accounts: Type.Array(
    Type.Object({
      accountName: Type.String(),
      organizationName: TextOrNull,
      usage: Type.Optional(Type.Object({ ...ofAllowance, activeLines: Type.Integer() })),
    }),
  ),
  next,
});

const WireFiring = Type.Object({ ...WireFiringByName.properties, deviceName });
const WireFiringOverview = Type.Object({
  days: Type.Array(FiredDay),
  before: Type.Array(FiredDay, { description: 'The same number of days before the period' }),
  latest: Type.Array(WireFiring),
});

const WireFirings = Type.Object({ firings: Type.Array(WireFiring), next });

const ACCOUNTS_PAGE = 50;
/** Where all of their lines are counted. */
const COUNTED_PAGE = 20;
/** Whoever has a page open counts the same lines, all at the moment when usage comes. */
const SHARED = { forMs: 10_000, keysMax: 200 };

/** Another key once anything was used, so that nobody gets what was read before a change that they heard of. */
const keyOf = async (ctx: Ctx, accounts: readonly Tenant[]): Promise<string> => {
  const tenMinutes = ctx.now().toISOString().slice(0, 15);
  const names = accounts.map(({ accountName }) => accountName);
  return [tenMinutes, ...names, await findUsageMark(ctx, accounts)].join(' ');
};

export const overviewRoutes: FastifyPluginAsyncTypebox = async (api) => {
  const shareOverview = shareAnswers<Awaited<ReturnType<typeof getUsageOverview>>>(SHARED);
  const shareAccounts = shareAnswers<Awaited<ReturnType<typeof listAccountUsage>>>(SHARED);

  api.get(
    '/accounts',
    {
      config: { access: signedIn },
      schema: {
        operationId: 'consoleListAccounts',
        summary:
          'Accounts that the viewer may look at, by name; with what each has used of its allowance in its open billing month, if asked for',
        querystring: Type.Object({
          search: OptionalText,
          page: OptionalText,
          usage: Type.Optional(Type.Boolean()),
        }),
        response: { 200: WireAccounts },
      },
    },
    async ({ ctx, viewer, query: { usage = false, ...asked } }) => {
      const limit = usage ? COUNTED_PAGE : ACCOUNTS_PAGE;
      const accounts = await listViewedAccounts(ctx.db, accountsOf(viewer), { ...asked, limit });
      const last = accounts.length === limit ? accounts.at(-1) : undefined;
      const used = usage
        ? await shareAccounts(await keyOf(ctx, accounts), () => listAccountUsage(ctx, accounts))
        : accounts;
      return { accounts: [...used], ...(last && { next: last.accountName }) };
    },
  );

  api.get(
    '/accounts/:accountName/overview/usage',
    ofAccount(
      'consoleReadUsageOverview',
      'Usage of the open billing month by plan, of the last days and as many before them, and devices by state',
      WireUsageOverview,
      PERIOD,
    ),
    async ({ ctx, tenant, query: { days = DAYS_SHOWN }, dialect }) =>
      shareOverview(`${days} ${await keyOf(ctx, [tenant])}`, () =>
        getUsageOverview(ctx, tenant, { days, unknown: dialect.faults.accountUnknownInPath }),
      ),
  );

  api.get(
    '/accounts/:accountName/overview/firings',
    ofAccount(
      'consoleReadFiringOverview',
      'How often triggers fired by day, and the last times with their reason',
      WireFiringOverview,
      PERIOD,
    ),
    async ({ ctx, tenant, viewer, query: { days = DAYS_SHOWN }, dialect }) => {
      const unknown = dialect.faults.accountUnknownInPath;
      const { latest, ...counted } = await getFiringOverview(ctx, tenant, { days, unknown });
      return { ...counted, latest: [...(await nameTriggers(ctx, tenant, latest, viewer))] };
    },
  );

  api.get(
    '/accounts/:accountName/firings',
    ofAccount('consoleListFirings', 'When triggers fired in the last days, newest first', WireFirings, {
      params: AccountParams,
      querystring: Type.Object({
        ...PERIOD.querystring.properties,
        page: Type.Optional(PagePlace),
        limit: PageQuery.properties.limit,
      }),
    }),
    async ({ ctx, tenant, viewer, query: { days = DAYS_SHOWN, page, limit = 100 }, dialect }) => {
      const unknown = dialect.faults.accountUnknownInPath;
      const asked = { days, before: parsePagePlace(page), limit, unknown };
      const found = await listFiringsOfPeriod(ctx, tenant, asked);
      const firings = await nameTriggers(ctx, tenant, found, viewer);
      const last = firings.length === limit ? firings.at(-1) : undefined;
      const place = last && toPagePlace({ at: last.firedAt, id: last.firingId });
      return { firings: [...firings], ...(place !== undefined && { next: place }) };
    },
  );
};
