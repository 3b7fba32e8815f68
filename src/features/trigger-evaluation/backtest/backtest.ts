import type { EcpdId } from '../../../kernel/account-name.ts';
import { cycleOf, type LocalDay } from '../../../kernel/bill-cycle.ts';
import { type Ctx, inTx, type Principal } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { concurrencyLimit } from '../../../platform/flow-control/limits.ts';
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
import { accountsOf } from '../closings/schedule.ts';
import { backtestFaults } from '../errors.ts';
import type { CycleAccount } from '../levels/level.ts';
import { levelsOf } from '../levels/levels-of.ts';
import type { BacktestBody, WireBacktest } from '../schemas.ts';
import { actionOf } from './actions.ts';
import { type Counters, countersOf, type Period, type ReplayedLevel } from './counters.ts';
import { replayClosings } from './replay-closings.ts';
import { listCycleAccounts, listIdentifiers } from './sql-past.ts';

const FIRINGS_MAX = 1_000;
const TIME_MS = 60_000;
const DAYS_MAX = 92;
const DAY_MS = 86_400_000;

/** A firing that was not. */
type PastFiring = Candidate & { readonly at: Date };

const isDay = (day: LocalDay) =>
  !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);

function checkPeriod({ from, to }: Period): void {
  const wrong = (reason: string) => refuse(backtestFaults.invalidPeriod, { reason });
  if (!isDay(from) || !isDay(to)) wrong('period.from and period.to are days like 2026-01-31');
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) wrong('period.to is before period.from');
  if (days > DAYS_MAX) wrong(`the period has more than ${DAYS_MAX} days`);
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

const toFiring = (
  { levelKind, level, scope, accountName }: ReplayedLevel,
  { takenAt: at, recordId, cause, opensAt, closesAt, late, beforeBytes, afterBytes }: Replayed,
  more: { subject: string; threshold: number; planCode?: string },
): PastFiring => ({
  triggerId: '',
  levelKind,
  level,
  scope,
  accountName,
  cycle: { from: opensAt, to: closesAt },
  before: beforeBytes,
  after: afterBytes,
  usageRecordId: recordId,
  cause: cause ?? undefined,
  late,
  at,
  ...more,
});

/** What usage has reached, and pools at the ends of their cycles. */
async function replayUsage({ db, now }: Ctx, ecpdId: string, { fixed, pools }: Counters) {
  const limit = FIRINGS_MAX + 1;
  const crossings = fixed.levels.length === 0 ? [] : await replayLedger(db, ecpdId, fixed, limit);
  const reached =
    pools.levels.length === 0 ? [] : await replayPools(db, ecpdId, { ...pools, now: now() }, limit);
  return [
    ...crossings.map(({ deviceId, planCode, ...crossing }) => {
      const level = fixed.levels[crossing.level]!;
      const { subject = deviceId, thresholdBytes: threshold } = level;
      return toFiring(level, crossing, { subject, threshold, planCode });
    }),
    ...reached.map(({ thresholdBytes: threshold, ...percent }) => {
      const level = pools.levels[percent.level]!;
      return toFiring(level, percent, { subject: level.subject!, threshold });
    }),
  ];
}

async function findFirings(
  ctx: Ctx,
  ecpdId: EcpdId,
  placed: PlacedRule,
  period: Period,
  signal: AbortSignal,
): Promise<{ firings: readonly PastFiring[]; truncated: boolean }> {
  const { db } = ctx;
  const levels = levelsOf(placed);
  const { counters, sums, closings } = levels;
  const cycles = [
    ...counters,
    ...sums.map(({ cycleAccount, cycle }) => ({ accountName: cycleAccount, cycle })),
    ...closings,
  ];
  const names = new Set([...cycles.map(({ accountName }) => accountName), ...closings.flatMap(accountsOf)]);
  const accounts = new Map(
    (await listCycleAccounts(db, ecpdId, [...names])).map((account) => [account.accountName, account]),
  );
  requireLedger(await findLedgerStart(db, { ecpdId }), period, cycles, accounts);
  const arrived = await replayUsage(ctx, ecpdId, countersOf(levels, period, accounts));
  const limit = FIRINGS_MAX;
  const closed = await replayClosings(ctx, ecpdId, closings, { period, accounts, limit, signal });
  const truncated = arrived.length + closed.candidates.length > FIRINGS_MAX || closed.truncated;
  const firings = [
    ...firstOfEach(arrived),
    ...closed.candidates.map((candidate) => ({ ...candidate, at: candidate.cycle.to })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
  return { firings: firings.slice(0, FIRINGS_MAX), truncated };
}

async function backtest(ctx: Ctx, user: Principal, body: BacktestBody): Promise<WireBacktest> {
  const ecpdId = profileOf(user, body.ecpdId);
  const content = fromWireContent(body);
  await inTx(ctx, (inner) => checkContent(inner, user, ecpdId, content));
  checkPeriod(body.period);
  const rule = parseRule(content.pricePlanTrigger).value!;
  const signal = AbortSignal.timeout(TIME_MS);
  return ctx.db.tx(
    async (db) => {
      await db.allowTime(TIME_MS);
      const inner = { ...ctx, db };
      const placed = (await placeRules(inner, ecpdId, [rule]))(rule);
      const { firings, truncated } = await findFirings(inner, ecpdId, placed, body.period, signal);
      const lines = firings.flatMap(({ scope, subject }) => (scope === 'device' ? [subject] : []));
      const identifiers = new Map(
        (await listIdentifiers(db, ecpdId, [...new Set(lines)])).map((one) => [one.deviceId, one.deviceIds]),
      );
      return {
        firings: firings.map(({ triggerId: _, scope, planCode, cause, ...firing }) => {
          const deviceIds = identifiers.get(firing.subject);
          return {
            ...firing,
            ...(deviceIds && { deviceIds: [...deviceIds] }),
            ...(cause && { cause }),
            action: actionOf(placed, { ...firing, cause }, planCode),
          };
        }),
        truncated,
      };
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

/** Each may keep a connection busy for a minute: the others are left to what is wanted at once. */
const turns = concurrencyLimit(2);

/** What the trigger would have fired in a time that is past; nothing is written, notified or done. */
export const runBacktest = (ctx: Ctx, user: Principal, body: BacktestBody): Promise<WireBacktest> =>
  turns.run(() => backtest(ctx, user, body));
