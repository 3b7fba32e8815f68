import type { EcpdId } from '../../../kernel/account-name.ts';
import type { Ctx, Principal } from '../../../platform/context/context.ts';
import { namedRecord, nameLines } from '../../firings/index.ts';
import type { PlacedRule } from '../../price-plan-triggers/index.ts';
import { type Replayed, replayLedger, replayPools } from '../../usage/index.ts';
import { type Candidate, firstOfEach } from '../candidate.ts';
import { levelsOf } from '../levels/levels-of.ts';
import type { BacktestBody, WireBacktest } from '../schemas.ts';
import { actionOf } from './actions.ts';
import { type Counters, countersOf, type Period, type ReplayedLevel } from './counters.ts';
import { accountsOfLevels, evaluatePast } from './past-rule.ts';
import { replayClosings } from './replay-closings.ts';
import { listIdentifiers } from './sql-past.ts';

const FIRINGS_MAX = 1_000;

/** A firing that a trigger would have had. */
type PastFiring = Candidate & { readonly at: Date };

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

/** Levels that usage reached, and percentages of pools reached at the end of their cycles. */
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
  const levels = levelsOf(placed);
  const { closings } = levels;
  const accounts = await accountsOfLevels(ctx, ecpdId, levels, period);
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

/** What the trigger would have fired in a past period. Nothing is written, sent or carried out. */
export const runBacktest = (ctx: Ctx, user: Principal, body: BacktestBody): Promise<WireBacktest> =>
  evaluatePast(ctx, user, body, async (inner, { ecpdId, placed, signal }) => {
    const { firings, truncated } = await findFirings(inner, ecpdId, placed, body.period, signal);
    const lines = firings.flatMap(({ scope, subject }) => (scope === 'device' ? [subject] : []));
    const identifiers = new Map(
      (await listIdentifiers(inner.db, ecpdId, [...new Set(lines)])).map((one) => [
        one.deviceId,
        one.deviceIds,
      ]),
    );
    const named = await nameLines(inner.db, ecpdId, firings);
    return {
      firings: named.map(({ triggerId: _, scope, planCode, cause, usageRecordId, ...firing }) => {
        const deviceIds = identifiers.get(firing.subject);
        return {
          ...firing,
          ...namedRecord(usageRecordId),
          ...(deviceIds && { deviceIds: [...deviceIds] }),
          ...(cause && { cause }),
          action: actionOf(placed, { ...firing, usageRecordId, cause }, planCode),
        };
      }),
      truncated,
    };
  });
