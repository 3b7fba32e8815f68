import type { Ctx } from '../../../platform/context.ts';
import type { CountedUsage, CounterChange, LedgerRecord, Wanted } from '../../usage/index.ts';
import type { Candidate } from './candidate.ts';
import {
  type Ladder,
  listAccountsBehind,
  listLadders,
  listReachedLevels,
  type ReachedLevel,
  takeLevelsBehind,
} from './sql-counters.ts';

/** The first place in an ascending list whose number is not less. */
function placeOf(list: readonly number[], value: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const passesAny = (ladder: readonly number[], beforeBytes: number, afterBytes: number): boolean => {
  const next = ladder[placeOf(ladder, beforeBytes)];
  return next !== undefined && next < afterBytes;
};

export interface Crossing {
  readonly recordId: string;
  readonly beforeBytes: number;
  readonly afterBytes: number;
}

/** The first record with which the counter is beyond so many bytes; of one that was beyond before, its first record. */
export function crossingOf(
  records: readonly Pick<LedgerRecord, 'id' | 'bytes'>[],
  startBytes: number,
  beyondBytes: number,
): Crossing | undefined {
  let beforeBytes = startBytes;
  for (const { id, bytes } of records) {
    const afterBytes = beforeBytes + bytes;
    if (afterBytes > beyondBytes) return { recordId: id, beforeBytes, afterBytes };
    beforeBytes = afterBytes;
  }
  return undefined;
}

const scopeOf = ({ deviceId }: CounterChange) => (deviceId === undefined ? 'account' : 'device');

const ladderKey = (scope: string, cycle: string, accountName: string, planCode: string) =>
  `${scope} ${cycle} ${accountName} ${planCode}`;

function toCandidate(change: CounterChange, reached: ReachedLevel): Candidate[] {
  const { accountName, deviceId, planCode, span, records, beforeBytes } = change;
  const { triggerId, levelKind, level, beyondBytes, thresholdBytes } = reached;
  const crossing = crossingOf(records, beforeBytes, beyondBytes);
  if (crossing === undefined) return [];
  return [
    {
      triggerId,
      levelKind,
      level,
      scope: scopeOf(change),
      subject: deviceId ?? accountName,
      accountName,
      cycle: span.cycle,
      opensAt: new Date(span.opensAtMs),
      closesAt: new Date(span.closesAtMs),
      late: span.timeliness === 'late',
      ...crossing,
      thresholdBytes,
      planCode,
    },
  ];
}

/** What a counter passed, and what it was beyond already when a level was written. */
async function listReached(
  { db }: Ctx,
  ecpdId: string,
  changes: readonly CounterChange[],
  { ladders, behind }: { ladders: ReadonlyMap<string, Ladder>; behind: ReadonlySet<string> },
): Promise<Candidate[]> {
  const passing = changes.filter((change) => {
    const { accountName, planCode, span } = change;
    const ladder = ladders.get(ladderKey(scopeOf(change), span.cycle, accountName, planCode));
    return ladder !== undefined && passesAny(ladder.beyondBytes, change.beforeBytes, change.afterBytes);
  });
  const waiting = changes.filter(({ accountName }) => behind.has(accountName));
  const passed =
    passing.length === 0
      ? []
      : await listReachedLevels(
          db,
          ecpdId,
          passing.map((change) => ({
            accountName: change.accountName,
            planCode: change.planCode,
            cycle: change.span.cycle,
            scope: scopeOf(change),
            from: change.beforeBytes,
            to: change.afterBytes,
          })),
        );
  const taken =
    waiting.length === 0
      ? []
      : await takeLevelsBehind(
          db,
          ecpdId,
          waiting.map(({ accountName, deviceId, planCode, span: { cycle, from } }) => ({
            accountName,
            deviceId,
            planCode,
            cycle,
            from,
          })),
        );
  return [
    ...passed.flatMap((reached) => toCandidate(passing[reached.nth - 1]!, reached)),
    ...taken.flatMap((reached) => toCandidate(waiting[reached.nth - 1]!, reached)),
  ];
}

/**
 * The levels of lines and accounts that a batch has reached: those between what a counter was and is, and those that it was
 * beyond already when they were written. The same few statements for any batch; of an account without levels nothing is
 * added up.
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
  // Most lines pass nothing: of these nothing is made.
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
  return listReached(ctx, ecpdId, changes, { ladders, behind });
}
