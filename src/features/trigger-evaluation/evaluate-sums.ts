import type { LocalDay } from '../../kernel/bill-cycle.ts';
import { calendarOf, dateOf } from '../../kernel/calendar.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { listFired } from '../firings/index.ts';
import {
  byAccountAndPlan,
  type CountedRecord,
  type CountedUsage,
  exactSumOf,
  planOf,
  timeliness,
} from '../usage/index.ts';
import type { Candidate } from './candidate.ts';
import { crossingOf } from './evaluate-counters.ts';
import { cyclesOfLeaders, type SumCycles } from './levels/leaders.ts';
import {
  type Fed,
  listOwners,
  listSumMembers,
  listSumTotals,
  listTouchedSums,
  lockSums,
  type SumCycle,
  type SumTotal,
  type TouchedSum,
} from './sql-sums.ts';

interface Touched extends SumCycle {
  readonly instants: Candidate['cycle'];
  readonly late: boolean;
}

/**
 * Lists each sum once for each of its cycles with new usage. It leaves out cycles that closed more than 72 hours ago
 * and, for moved usage, all closed cycles.
 */
function cyclesOf(touched: readonly TouchedSum[], nowMs: number, cause: CountedUsage['cause']): Touched[] {
  const known = new Map<string, Touched>();
  const cyclesFor = new Map<string, SumCycles>();
  for (const { triggerId, subject, cycle, leaders, accountName, day } of touched) {
    const sum = `${triggerId} ${subject}`;
    const cycles = cyclesFor.get(sum) ?? cyclesOfLeaders(leaders);
    cyclesFor.set(sum, cycles);
    const span = cycles.cycleAt(cycle, startOf(cycles, accountName, day));
    const key = `${sum} ${span.fromMs}`;
    if (known.has(key)) continue;
    const when = timeliness(span.toMs, nowMs);
    if (when === 'over' || (when === 'late' && cause !== undefined)) continue;
    const instants = { from: new Date(span.fromMs), to: new Date(span.toMs) };
    const cycleAccount = cycles.leaderAt(span.fromMs).accountName;
    const days = cycles.daysOf(span);
    known.set(key, { triggerId, subject, cycle, cycleAccount, ...days, instants, late: when === 'late' });
  }
  return [...known.values()];
}

/** A piece of a day is in its own cycle only for the account that is followed; the other accounts count by dates. */
function startOf(cycles: SumCycles, accountName: string, day: LocalDay): number {
  const date = dateOf(day);
  const leader = cycles.leaderAt(cycles.startOf(date));
  return day !== date && leader.accountName === accountName
    ? calendarOf(leader).startOf(day)
    : cycles.startOf(date);
}

const isIn = ({ from, to, pieces, cycleAccount }: Touched, { accountName, day }: CountedRecord): boolean => {
  if (accountName === cycleAccount && day !== dateOf(day)) return pieces.includes(day);
  return dateOf(day) >= from && dateOf(day) < to;
};

interface Reached {
  /** The sum's number among those that the batch touched, from 1. */
  readonly nth: number;
  readonly sum: Touched;
  readonly level: SumTotal['levels'][number];
  readonly beforeBytes: number;
  readonly beyondBytes: number;
  readonly thresholdBytes: number;
}

/** A percentage counts as reached at its exact value: `beyondBytes` is the largest whole number of bytes below it. */
function reachedLevels({ beforeBytes, afterBytes, poolBytes, levels }: Omit<SumTotal, 'nth'>) {
  return levels.flatMap((level) => {
    if (level.beyondBytes === null && (poolBytes === null || poolBytes <= 0)) return [];
    const thresholdBytes = level.beyondBytes === null ? ((poolBytes ?? 0) * level.level) / 100 : level.level;
    const beyondBytes = level.beyondBytes ?? Math.ceil(thresholdBytes) - 1;
    const isReached = afterBytes > beyondBytes && (!level.onPassing || beforeBytes <= beyondBytes);
    return isReached ? [{ level, beforeBytes, beyondBytes, thresholdBytes }] : [];
  });
}

/** The bytes that the batch added, by account, plan and day. */
function fedBy(records: readonly CountedRecord[]): Fed[] {
  const days = byAccountAndPlan(records).flatMap((some) => [...Map.groupBy(some, ({ day }) => day).values()]);
  return days.map((some) => ({
    accountName: some[0]!.accountName,
    planCode: planOf(some[0]!),
    day: some[0]!.day,
    bytes: exactSumOf(some),
  }));
}

/** A sum that was beyond a level before this batch has already fired, unless the level or its pool changed since. */
async function withoutFired({ db }: Ctx, ecpdId: string, reached: readonly Reached[]): Promise<Reached[]> {
  const isEarlier = ({ beforeBytes, beyondBytes }: Reached) => beforeBytes > beyondBytes;
  const earlier = reached.filter(isEarlier);
  if (earlier.length === 0) return [...reached];
  const fired = await listFired(
    db,
    ecpdId,
    earlier.map(({ sum: { triggerId, subject, instants: cycle }, level: { levelKind, level } }) => ({
      triggerId,
      subject,
      levelKind,
      level,
      cycle,
    })),
  );
  const known = new Set(fired.map(({ nth }) => nth));
  let place = 0;
  return reached.filter((one) => !isEarlier(one) || !known.has(++place));
}

/** The records of the batch that each sum counted, in feed order. */
async function recordsOf(
  { db }: Ctx,
  ecpdId: string,
  sums: readonly Touched[],
  counted: CountedUsage,
): Promise<readonly (readonly CountedRecord[])[]> {
  const members = sums.map(() => new Set<string>());
  for (const { nth, accountName, planCode } of await listSumMembers(db, ecpdId, sums, counted.accountNames))
    members[nth - 1]!.add(`${accountName} ${planCode}`);
  const all = [...counted.records, ...counted.taken];
  return sums.map((sum, n) =>
    all.filter((record) => isIn(sum, record) && members[n]!.has(`${record.accountName} ${planOf(record)}`)),
  );
}

/** The levels that several counters reached together: accounts compared as one, and lines that share an allowance. */
export async function evaluateSums(ctx: Ctx, ecpdId: string, counted: CountedUsage): Promise<Candidate[]> {
  const { db } = ctx;
  const { cause } = counted;
  const fed = fedBy([...counted.records, ...counted.taken]);
  const touched = cyclesOf(await listTouchedSums(db, ecpdId, fed), ctx.now().getTime(), cause);
  if (touched.length === 0) return [];
  await lockSums(db, ecpdId, [...new Set(touched.map(({ triggerId }) => triggerId))]);
  const totals = (await listSumTotals(db, ecpdId, touched, fed)).filter(
    // A move between two plans of a sum adds nothing to it.
    ({ beforeBytes, afterBytes }) => cause === undefined || afterBytes > beforeBytes,
  );
  const reached = await withoutFired(
    ctx,
    ecpdId,
    totals.flatMap(({ nth, ...total }): Reached[] =>
      reachedLevels(total).map((level) => ({ nth, sum: touched[nth - 1]!, ...level })),
    ),
  );
  if (reached.length === 0) return [];
  const nths = [...new Set(reached.map(({ nth }) => nth))];
  const sums = nths.map((nth) => touched[nth - 1]!);
  const records = new Map((await recordsOf(ctx, ecpdId, sums, counted)).map((some, n) => [nths[n]!, some]));
  const owners = new Map((await listOwners(db, ecpdId, sums)).map((owner, n) => [nths[n]!, owner]));
  return reached.flatMap(({ nth, sum, level, thresholdBytes, beforeBytes, beyondBytes }): Candidate[] => {
    const crossing = crossingOf(counted.stepsOf(records.get(nth)!), beforeBytes, beyondBytes);
    if (crossing === undefined) return [];
    const { triggerId, subject, instants: cycle, late } = sum;
    const accountName = owners.get(nth)!;
    const named = { triggerId, levelKind: level.levelKind, level: level.level, subject, accountName };
    return [{ ...named, scope: 'sum', cycle, late, ...crossing, threshold: thresholdBytes, cause }];
  });
}
