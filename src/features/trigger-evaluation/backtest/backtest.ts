import type { EcpdId } from '../../../kernel/account-name.ts';
import { cycleOf, type LocalDay } from '../../../kernel/bill-cycle.ts';
import { type Ctx, inTx, type Principal } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import {
  checkContent,
  fromWireContent,
  type PlacedRule,
  parseRule,
  placeRules,
  profileOf,
} from '../../price-plan-triggers/index.ts';
import { findLedgerStart, type Replayed, replayLedger, replayPools } from '../../usage/index.ts';
import { type Candidate, firstOfEach } from '../candidate.ts';
import { accountsOf, closingsOf } from '../closings/closings-of.ts';
import type { CycleAccount } from '../closings/schedule.ts';
import { backtestFaults } from '../errors.ts';
import { levelsOf } from '../levels/levels-of.ts';
import type { BacktestBody } from '../schemas.ts';
import { actionOf, type PlannedAction } from './actions.ts';
import { type Counters, countersOf, type Period, type ReplayedLevel } from './counters.ts';
import { replayClosings } from './replay-closings.ts';
import { listCycleAccounts, listIdentifiers } from './sql-backtest.ts';

const FIRINGS_MAX = 1_000;
const TIME_MS = 60_000;
const DAYS_MAX = 92;
const DAY_MS = 86_400_000;

/** A firing that was not, and what would have come of it. */
export interface PastFiring {
  readonly candidate: Candidate;
  readonly at: Date;
  readonly action: PlannedAction;
  readonly deviceIds: readonly { readonly id: string; readonly kind: string }[] | undefined;
}

export interface Backtest {
  readonly firings: readonly PastFiring[];
  readonly truncated: boolean;
}

const isDay = (day: LocalDay) =>
  !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);

function readPeriod({ from, to }: Period): Period {
  const wrong = (reason: string) => refuse(backtestFaults.invalidPeriod, { reason });
  if (!isDay(from) || !isDay(to)) return wrong('period.from and period.to are days like 2026-01-31');
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) return wrong('period.to is before period.from');
  if (days > DAYS_MAX) return wrong(`the period has more than ${DAYS_MAX} days`);
  return { from, to };
}

/** Counters are those of whole cycles: also the first must be in the ledger from its beginning. */
function requireLedger(
  startsOn: LocalDay | undefined,
  { from }: Period,
  cycles: readonly { readonly accountName: string; readonly cycle: Parameters<typeof cycleOf>[0] }[],
  accounts: ReadonlyMap<string, CycleAccount>,
): void {
  if (startsOn === undefined) return;
  const begins = cycles.flatMap(({ accountName, cycle }) => {
    const account = accounts.get(accountName);
    return account === undefined ? [] : [cycleOf(cycle, from, account.billCycleDay).from];
  });
  if (begins.some((day) => day < startsOn))
    refuse(backtestFaults.invalidPeriod, {
      reason: `the records of cycles that begin before ${startsOn} are no longer kept`,
    });
}

type Found = Omit<PastFiring, 'deviceIds' | 'action'> & { readonly planCode?: string | undefined };

const toFound = (
  { levelKind, level, scope, accountName, cycle }: ReplayedLevel,
  { takenAt: at, level: _, cause, ...reached }: Replayed,
  { planCode, ...more }: { subject: string; thresholdBytes: number; planCode?: string },
): Found => {
  const named = { triggerId: '', levelKind, level, scope, accountName, cycle, cause: cause ?? undefined };
  const candidate = { ...named, ...reached, ...more };
  return { at, planCode, candidate };
};

/** What usage has reached, and pools at the ends of their cycles. */
async function replayUsage({ db, now }: Ctx, ecpdId: string, { fixed, pools }: Counters): Promise<Found[]> {
  const limit = FIRINGS_MAX + 1;
  const crossings = fixed.levels.length === 0 ? [] : await replayLedger(db, ecpdId, fixed, limit);
  const reached =
    pools.levels.length === 0 ? [] : await replayPools(db, ecpdId, { ...pools, now: now() }, limit);
  return [
    ...crossings.map(({ deviceId, planCode, ...crossing }) => {
      const level = fixed.levels[crossing.level]!;
      const { subject = deviceId, thresholdBytes } = level;
      return toFound(level, crossing, { subject, thresholdBytes, planCode });
    }),
    ...reached.map(({ thresholdBytes, ...percent }) => {
      const level = pools.levels[percent.level]!;
      return toFound(level, percent, { subject: level.subject!, thresholdBytes });
    }),
  ];
}

async function findFirings(
  ctx: Ctx,
  ecpdId: EcpdId,
  placed: PlacedRule,
  period: Period,
  signal: AbortSignal,
): Promise<{ found: readonly Found[]; truncated: boolean }> {
  const { db } = ctx;
  const levels = levelsOf(placed.rule, placed.surroundings);
  const closings = closingsOf(placed);
  const cycles = [
    ...levels.counters,
    ...levels.sums.map(({ cycleAccount, cycle }) => ({ accountName: cycleAccount, cycle })),
    ...closings,
  ];
  const names = new Set([...cycles.map(({ accountName }) => accountName), ...closings.flatMap(accountsOf)]);
  const accounts = new Map(
    (await listCycleAccounts(db, ecpdId, [...names])).map((account) => [account.accountName, account]),
  );
  requireLedger(await findLedgerStart(db, { ecpdId }), period, cycles, accounts);
  const arrived = await replayUsage(ctx, ecpdId, countersOf(levels, period, accounts));
  const closed = await replayClosings(ctx, ecpdId, closings, {
    period,
    accounts,
    limit: FIRINGS_MAX,
    signal,
  });
  const truncated = arrived.length + closed.candidates.length > FIRINGS_MAX || closed.truncated;
  const found = [
    ...firstOfEach(arrived, ({ candidate }) => candidate),
    ...closed.candidates.map((candidate) => ({ candidate, at: candidate.closesAt, planCode: undefined })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
  return { found: found.slice(0, FIRINGS_MAX), truncated };
}

/** What the trigger would have fired in a time that is past; nothing is written, told or done. */
export async function backtest(ctx: Ctx, user: Principal, body: BacktestBody): Promise<Backtest> {
  const ecpdId = profileOf(user, body.ecpdId);
  const content = fromWireContent(body);
  await inTx(ctx, (inner) => checkContent(inner, user, ecpdId, content));
  const period = readPeriod(body.period);
  const rule = parseRule(content.pricePlanTrigger).value!;
  const signal = AbortSignal.timeout(TIME_MS);
  return ctx.db.tx(
    async (db) => {
      await db.allowTime(TIME_MS);
      const inner = { ...ctx, db };
      const placed = (await placeRules(inner, ecpdId, [rule]))(rule);
      const { found, truncated } = await findFirings(inner, ecpdId, placed, period, signal);
      const lines = found.flatMap(({ candidate }) =>
        candidate.scope === 'device' ? [candidate.subject] : [],
      );
      const identifiers = new Map(
        (await listIdentifiers(db, ecpdId, [...new Set(lines)])).map((one) => [one.deviceId, one.deviceIds]),
      );
      const firings = found.map(({ planCode, ...firing }) => ({
        ...firing,
        action: actionOf(placed, firing.candidate, planCode),
        deviceIds: identifiers.get(firing.candidate.subject),
      }));
      return { firings, truncated };
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}
