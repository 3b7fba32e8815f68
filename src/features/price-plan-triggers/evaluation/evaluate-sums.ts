import { cycleOf } from '../../../kernel/bill-cycle.ts';
import type { Ctx } from '../../../platform/context.ts';
import { daysIn, timeliness } from '../../usage/index.ts';
import type { Candidate } from './candidate.ts';
import {
  listSumCrossings,
  listSumTotals,
  listTouchedSums,
  lockSums,
  type SumCycle,
  type SumTotal,
  type TouchedSum,
} from './sql-sums.ts';

interface Touched extends SumCycle {
  readonly cycleAccount: string;
  readonly opensAt: Date;
  readonly closesAt: Date;
  readonly late: boolean;
}

/** Each sum once for each of its cycles that usage came for; those that closed long ago are history. */
function cyclesOf(touched: readonly TouchedSum[], nowMs: number): Touched[] {
  const known = new Map<string, Touched>();
  for (const { triggerId, subject, cycle, cycleAccount, timeZone, billCycleDay, day } of touched) {
    const span = cycleOf(cycle, day, billCycleDay);
    const key = `${triggerId} ${subject} ${span.from}`;
    if (known.has(key)) continue;
    const { startOf } = daysIn(timeZone);
    const closesAtMs = startOf(span.to);
    const when = timeliness(closesAtMs, nowMs);
    if (when === 'over') continue;
    const [opensAt, closesAt] = [new Date(startOf(span.from)), new Date(closesAtMs)];
    known.set(key, {
      triggerId,
      subject,
      cycle,
      cycleAccount,
      ...span,
      opensAt,
      closesAt,
      late: when === 'late',
    });
  }
  return [...known.values()];
}

interface Reached {
  readonly sum: Touched;
  readonly level: SumTotal['levels'][number];
  readonly beforeBytes: number;
  readonly beyondBytes: number;
  readonly thresholdBytes: number;
}

/** Percentages mean "reached": the largest whole number of bytes that is less is what must be passed. */
export function reachedLevels({ afterBytes, addedBytes, poolBytes, levels }: Omit<SumTotal, 'nth'>) {
  const beforeBytes = afterBytes - addedBytes;
  return levels.flatMap((level) => {
    if (level.beyondBytes === null && (poolBytes === null || poolBytes <= 0)) return [];
    const thresholdBytes = level.beyondBytes === null ? ((poolBytes ?? 0) * level.level) / 100 : level.level;
    const beyondBytes = level.beyondBytes ?? Math.ceil(thresholdBytes) - 1;
    const isReached = afterBytes > beyondBytes && (!level.onPassing || beforeBytes <= beyondBytes);
    return isReached ? [{ level, beforeBytes, beyondBytes, thresholdBytes }] : [];
  });
}

/** What several counters together have reached: accounts that are compared as one, and lines that share an allowance. */
export async function evaluateSums(ctx: Ctx, ecpdId: string): Promise<Candidate[]> {
  const { db } = ctx;
  const touched = cyclesOf(await listTouchedSums(db, ecpdId), ctx.now().getTime());
  if (touched.length === 0) return [];
  await lockSums(db, ecpdId, [...new Set(touched.map(({ triggerId }) => triggerId))]);
  const totals = await listSumTotals(db, ecpdId, touched);
  const reached = totals.flatMap(({ nth, ...total }): Reached[] =>
    reachedLevels(total).map((level) => ({ sum: touched[nth - 1]!, ...level })),
  );
  if (reached.length === 0) return [];
  const crossings = await listSumCrossings(
    db,
    ecpdId,
    reached.map(({ sum, beforeBytes, beyondBytes }) => ({ ...sum, beforeBytes, beyondBytes })),
  );
  return crossings.map(({ nth, recordId, totalBytes, bytes }): Candidate => {
    const { sum, level, thresholdBytes } = reached[nth - 1]!;
    const { triggerId, subject, cycleAccount: accountName, cycle, opensAt, closesAt, late } = sum;
    return {
      triggerId,
      levelKind: level.levelKind,
      level: level.level,
      scope: 'sum',
      subject,
      accountName,
      cycle,
      opensAt,
      closesAt,
      late,
      beforeBytes: totalBytes - bytes,
      afterBytes: totalBytes,
      thresholdBytes,
      recordId,
    };
  });
}
