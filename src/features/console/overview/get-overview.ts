import { addDays, type CycleDays, dayFinder, type LocalDay } from '../../../kernel/bill-cycle.ts';
import { type Boundaries, type CountedDays, calendarOf, dateOf } from '../../../kernel/calendar.ts';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { type FaultKind, refuse } from '../../../platform/context/fault.ts';
import { findAccount } from '../../accounts/index.ts';
import { countFiringsByDay, listFirings, nameLines } from '../../firings/index.ts';
import type { ViewedAccount } from '../session/viewed-accounts.ts';
import {
  type CountedLines,
  countLines,
  listDailyUsage,
  listPlanFacts,
  listUsedByPlan,
  listUsedOfAllowance,
  type PlanFacts,
  type UsedOfAllowance,
} from './sql-usage.ts';

const PLANS_SHOWN = 50;
const FIRINGS_SHOWN = 8;

interface PlanUsage {
  readonly planCode: string;
  readonly planName: string | null;
  readonly lines: number;
  readonly usedBytes: number;
  readonly allowanceBytes: number | null;
}

const sumOf = <T>(rows: readonly T[], value: (row: T) => number): number =>
  rows.reduce((sum, row) => sum + value(row), 0);

/** Leaves out sensors, which are part of a device. */
const addUpStates = (counted: readonly CountedLines[]) =>
  [
    ...Map.groupBy(
      counted.filter(({ isSensor }) => !isSensor),
      ({ state }) => state,
    ),
  ].map(([state, rows]) => ({ state, devices: sumOf(rows, ({ devices }) => devices) }));

/** Plans that have lines or usage, by usage. */
function addUpPlans(
  counted: readonly CountedLines[],
  used: readonly { readonly planCode: string; readonly bytes: number }[],
  facts: readonly PlanFacts[],
): PlanUsage[] {
  const active = counted.filter(({ state, planCode }) => state === 'active' && planCode !== null);
  const held = Map.groupBy(active, ({ planCode }) => planCode!);
  const bytes = new Map(used.map((one) => [one.planCode, one.bytes]));
  const known = new Map(facts.map((one) => [one.planCode, one]));
  return [...new Set([...held.keys(), ...bytes.keys()])]
    .map((planCode) => {
      const rows = held.get(planCode);
      const all = sumOf(rows ?? [], ({ devices }) => devices);
      const lines = sumOf(rows?.filter(({ isSensor }) => !isSensor) ?? [], ({ devices }) => devices);
      const { name: planName = null, allowanceBytes = null } = known.get(planCode) ?? {};
      return {
        planCode,
        planName,
        lines,
        usedBytes: bytes.get(planCode) ?? 0,
        allowanceBytes: rows === undefined || allowanceBytes === null ? null : all * allowanceBytes,
      };
    })
    .sort((a, b) => b.usedBytes - a.usedBytes || (a.planCode < b.planCode ? -1 : 1));
}

/** The allowance of all lines together; null if none of their plans has one. */
const addUpAllowance = (plans: readonly PlanUsage[]): number | null =>
  plans.reduce<number | null>(
    (sum, { allowanceBytes }) => (allowanceBytes === null ? sum : (sum ?? 0) + allowanceBytes),
    null,
  );

function cycleAt(account: Boundaries, now: Date): CountedDays {
  const { cycleAt: spanAt, daysOf } = calendarOf(account);
  return daysOf(spanAt('Monthly', now.getTime()));
}

/** Every day of the range, also days without data, so that a chart shows gaps. */
function everyDay<T extends { readonly day: LocalDay }>(
  days: readonly T[],
  span: CycleDays,
  nothing: Omit<T, 'day'>,
) {
  const known = new Map(days.map((one) => [one.day, one]));
  const all: (Omit<T, 'day'> & { readonly day: LocalDay })[] = [];
  for (let { from: day } = span; day < span.to; day = addDays(day, 1))
    all.push(known.get(day) ?? { ...nothing, day });
  return all;
}

/** The last days in the time zone of the account, today included, and as many days before them. */
function lastDays(account: Boundaries, now: Date, days: number) {
  const to = addDays(dateOf(calendarOf(account).dayAt(now.getTime())), 1);
  const from = addDays(to, -days);
  return { shown: { from, to }, all: { from: addDays(from, -days), to } };
}

/** The period, and the one before it. */
const inPeriods = <T extends { readonly day: LocalDay }>(days: readonly T[], { from }: CycleDays) => ({
  days: days.filter(({ day }) => day >= from),
  before: days.filter(({ day }) => day < from),
});

/** Usage and allowance of the open billing month, and the usage of each day of the period. */
export async function getUsageOverview(
  { db, now }: Ctx,
  tenant: Tenant,
  { days, unknown }: { readonly days: number; readonly unknown: FaultKind },
) {
  const account = (await findAccount(db, tenant)) ?? refuse(unknown);
  const cycle = cycleAt(account, now());
  const { shown, all } = lastDays(account, now(), days);
  const [counted, used, usedOn] = await Promise.all([
    countLines(db, tenant),
    listUsedByPlan(db, tenant, cycle),
    listDailyUsage(db, tenant, calendarOf(account).datesOf(all)),
  ]);
  const codes = new Set([...counted, ...used].flatMap(({ planCode }) => planCode ?? []));
  const plans = addUpPlans(counted, used, await listPlanFacts(db, [...codes]));
  return {
    cycle: { from: cycle.from, to: cycle.to },
    usedBytes: used.reduce((sum, { bytes }) => sum + bytes, 0),
    allowanceBytes: addUpAllowance(plans),
    plans: plans.slice(0, PLANS_SHOWN),
    ...inPeriods(everyDay(usedOn, all, { bytes: 0 }), shown),
    states: addUpStates(counted),
  };
}

export async function listAccountUsage({ db, now }: Ctx, accounts: readonly ViewedAccount[]) {
  const asked = accounts.map((account) => ({ ...account, ...cycleAt(account, now()) }));
  const used = new Map<string, UsedOfAllowance>();
  for (const [ecpdId, own] of Map.groupBy(asked, (account) => account.ecpdId))
    for (const one of await listUsedOfAllowance(db, ecpdId, own)) used.set(one.accountName, one);
  return accounts.map(({ accountName, organizationName }) => {
    const { usedBytes = 0, allowanceBytes = null, activeLines = 0 } = used.get(accountName) ?? {};
    return { accountName, organizationName, usage: { usedBytes, allowanceBytes, activeLines } };
  });
}

interface FiringsOfPeriod {
  readonly days: number;
  readonly before: { readonly at: Date; readonly id: string } | undefined;
  readonly limit: number;
  readonly unknown: FaultKind;
}

/** The firings that the overview counts in its period, newest first. */
export async function listFiringsOfPeriod(
  { db, now }: Ctx,
  tenant: Tenant,
  { days, before, limit, unknown }: FiringsOfPeriod,
) {
  const account = (await findAccount(db, tenant)) ?? refuse(unknown);
  const { shown } = lastDays(account, now(), days);
  const from = new Date(dayFinder(account.timeZone).startOf(shown.from));
  const { ecpdId, accountName } = tenant;
  const rows = await listFirings(db, { ecpdId, accountName, triggerId: undefined, before, from, limit });
  return nameLines(db, ecpdId, rows);
}

/** The number of firings on each of the last days, and the latest firings with their reason. */
export async function getFiringOverview(
  { db, now }: Ctx,
  tenant: Tenant,
  { days, unknown }: { readonly days: number; readonly unknown: FaultKind },
) {
  const account = (await findAccount(db, tenant)) ?? refuse(unknown);
  const { shown, all } = lastDays(account, now(), days);
  const from = new Date(dayFinder(account.timeZone).startOf(all.from));
  const { ecpdId, accountName } = tenant;
  const filter = { ecpdId, accountName, triggerId: undefined, before: undefined, limit: FIRINGS_SHOWN };
  const [firedOn, latest] = await Promise.all([
    countFiringsByDay(db, tenant, { from, timeZone: account.timeZone }),
    listFirings(db, filter),
  ]);
  return {
    ...inPeriods(everyDay(firedOn, all, { firings: 0 }), shown),
    latest: [...(await nameLines(db, ecpdId, latest))],
  };
}
