import type { Ctx } from '../../platform/context/context.ts';
import type { CountedUsage, CounterChange, Step, Wanted } from '../usage/index.ts';
import type { Candidate } from './candidate.ts';
import {
  addLevelsBehind,
  type Ladder,
  type LadderStep,
  listAccountsBehind,
  listLadders,
  listLevelsAt,
  type ReachedLevel,
  takeLevelsBehind,
} from './sql-counters.ts';

/** The first index in an ascending list whose number is not less. */
function indexOf(list: readonly number[], value: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const passesAny = (ladder: readonly number[], beforeBytes: number, afterBytes: number): boolean => {
  const next = ladder[indexOf(ladder, beforeBytes)];
  return next !== undefined && next < afterBytes;
};

type Crossing = Pick<Candidate, 'usageRecordId' | 'before' | 'after'>;

/** The first step that brings the counter beyond this many bytes; if it was beyond already, its first step. */
export function crossingOf(
  steps: readonly Step[],
  startBytes: number,
  beyondBytes: number,
): Crossing | undefined {
  let before = startBytes;
  for (const { id, bytes } of steps) {
    const after = before + bytes;
    if (after > beyondBytes) return { usageRecordId: id, before, after };
    before = after;
  }
  return undefined;
}

const scopeOf = ({ deviceId }: CounterChange) => (deviceId === undefined ? 'account' : 'device');

const ladderKey = (scope: string, cycle: string, accountName: string, planCode: string) =>
  `${scope} ${cycle} ${accountName} ${planCode}`;

type Counted = Pick<CountedUsage, 'stepsOf' | 'cause'>;

function toCandidate({ stepsOf, cause }: Counted, change: CounterChange, reached: ReachedLevel): Candidate[] {
  const { accountName, deviceId, planCode, span, records, beforeBytes } = change;
  const { triggerId, levelKind, level, beyondBytes, thresholdBytes } = reached;
  const crossing = crossingOf(stepsOf(records), beforeBytes, beyondBytes);
  if (crossing === undefined) return [];
  return [
    {
      triggerId,
      levelKind,
      level,
      scope: scopeOf(change),
      subject: deviceId ?? accountName,
      accountName,
      cycle: { from: new Date(span.opensAtMs), to: new Date(span.closesAtMs) },
      late: span.timeliness === 'late',
      ...crossing,
      threshold: thresholdBytes,
      planCode,
      cause,
    },
  ];
}

interface Compared {
  readonly ladders: ReadonlyMap<string, Ladder>;
  readonly behind: ReadonlySet<string>;
}

interface Reached {
  readonly change: CounterChange;
  readonly level: ReachedLevel;
}

/** The levels between old and new values of counters. Thousands of lines may pass the same levels: each is queried once. */
async function listPassed(
  { db }: Ctx,
  ecpdId: string,
  changes: readonly CounterChange[],
  { ladders }: Compared,
): Promise<Reached[]> {
  const asked: LadderStep[] = [];
  const askedOf = new Map<string, Map<number, ReachedLevel[]>>();
  const levelsOf: ReachedLevel[][] = [];
  const passed: { change: CounterChange; levels: readonly ReachedLevel[] }[] = [];
  for (const change of changes) {
    const { accountName, planCode, span, beforeBytes, afterBytes } = change;
    const key = ladderKey(scopeOf(change), span.cycle, accountName, planCode);
    const ladder = ladders.get(key);
    if (ladder === undefined) continue;
    const known = askedOf.get(key) ?? new Map<number, ReachedLevel[]>();
    askedOf.set(key, known);
    for (let n = indexOf(ladder.beyondBytes, beforeBytes); n < ladder.beyondBytes.length; n++) {
      const beyondBytes = ladder.beyondBytes[n]!;
      if (beyondBytes >= afterBytes) break;
      let levels = known.get(beyondBytes);
      if (levels === undefined) {
        levels = [];
        known.set(beyondBytes, levels);
        levelsOf.push(levels);
        asked.push({ ...ladder, beyondBytes });
      }
      passed.push({ change, levels });
    }
  }
  if (asked.length === 0) return [];
  for (const level of await listLevelsAt(db, ecpdId, asked)) levelsOf[level.nth - 1]!.push(level);
  return passed.flatMap(({ change, levels }) => levels.map((level) => ({ change, level })));
}

const inCycle = ({ accountName, deviceId, planCode, span: { cycle, key } }: CounterChange) => ({
  accountName,
  deviceId,
  planCode,
  cycle,
  from: key,
});

/** The levels that a counter passed, and those that it was already beyond when they were written. */
async function listReached(
  ctx: Ctx,
  ecpdId: string,
  counted: Counted,
  changes: readonly CounterChange[],
  compared: Compared,
): Promise<Candidate[]> {
  const waiting = changes.filter(({ accountName }) => compared.behind.has(accountName));
  const passed = await listPassed(ctx, ecpdId, changes, compared);
  const taken = waiting.length === 0 ? [] : await takeLevelsBehind(ctx.db, ecpdId, waiting.map(inCycle));
  return [
    ...passed.flatMap(({ change, level }) => toCandidate(counted, change, level)),
    ...taken.flatMap((reached) => toCandidate(counted, waiting[reached.nth - 1]!, reached)),
  ];
}

/** Moved usage fires nothing in closed cycles. The passed levels are noted, because usage that still arrives may fire them. */
async function noteBehind(ctx: Ctx, ecpdId: string, changes: readonly CounterChange[], compared: Compared) {
  const passed = await listPassed(ctx, ecpdId, changes, compared);
  const behind = passed
    .filter(({ level }) => !level.onPassing)
    .map(({ change, level: { triggerId, levelKind, level } }) => ({
      ...inCycle(change),
      triggerId,
      levelKind,
      level,
    }));
  if (behind.length > 0) await addLevelsBehind(ctx.db, ecpdId, behind);
}

/**
 * The levels of lines and accounts that a batch reached: those between a counter's old and new value, and those that it
 * was already beyond when they were written. It runs the same few statements for any batch, and adds up nothing for
 * accounts without levels.
 */
export async function evaluateCounters(
  ctx: Ctx,
  ecpdId: string,
  counted: CountedUsage,
): Promise<Candidate[]> {
  const { db } = ctx;
  const listed = await listLadders(db, ecpdId, counted.accountNames);
  if (listed.length === 0) return [];
  const ladders = new Map(
    listed.map((ladder) => [
      ladderKey(ladder.scope, ladder.cycle, ladder.accountName, ladder.planCode),
      ladder,
    ]),
  );
  const behind = new Set(await listAccountsBehind(db, ecpdId, counted.accountNames));
  // Most lines pass no level: no change is created for them.
  const wantedIn =
    (scope: string): Wanted =>
    (accountName, planCode, cycle) => {
      const ladder = ladders.get(ladderKey(scope, cycle, accountName, planCode));
      if (ladder === undefined) return undefined;
      return behind.has(accountName)
        ? () => true
        : (beforeBytes, afterBytes) => passesAny(ladder.beyondBytes, beforeBytes, afterBytes);
    };
  const changes = [
    ...counted.changesOfLines(wantedIn('device')),
    ...(await counted.changesOfAccounts(db, wantedIn('account'))),
  ].filter(({ span }) => span.timeliness !== 'over');
  const compared = { ladders, behind };
  if (counted.cause === undefined) return listReached(ctx, ecpdId, counted, changes, compared);
  const { open = [], late = [] } = Object.groupBy(changes, ({ span: { timeliness } }) => timeliness);
  await noteBehind(ctx, ecpdId, late, compared);
  return listReached(ctx, ecpdId, counted, open, compared);
}
