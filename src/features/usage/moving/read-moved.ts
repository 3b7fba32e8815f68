import type { Cycle } from '../../../kernel/bill-cycle.ts';
import type { Db } from '../../../platform/db/db.ts';
import { type CountedUsage, readCounted, type Step, watchFor } from '../counted-usage.ts';
import type { CountedRecord, LedgerAccount } from '../ledger.ts';
import type { MovedDay } from './sql-move.ts';

/** Each line is one step, of all that it brought; one that brought nothing is none. */
function stepsOf(some: readonly CountedRecord[]): readonly Step[] {
  const byLine = Map.groupBy(some, ({ deviceId }) => deviceId);
  return [...byLine.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) => ({ id: null, bytes: own.reduce((sum, { bytes }) => sum + bytes, 0) }))
    .filter(({ bytes }) => bytes > 0);
}

/**
 * What was moved, as whoever compares counters looks at it: the counters of the new plan have grown, line by line. Nobody
 * else adds to them.
 */
export async function readMoved(
  db: Db,
  account: LedgerAccount,
  { planCode, days }: { readonly planCode: string; readonly days: readonly MovedDay[] },
  { cycles, nowMs }: { readonly cycles: readonly Cycle[]; readonly nowMs: number },
): Promise<CountedUsage> {
  const { ecpdId, accountName } = account;
  const used = days.filter(([, , , bytes]) => bytes > 0);
  const recordOf = ([deviceId, day, , bytes]: MovedDay) => ({
    id: null,
    accountName,
    deviceId,
    day,
    bytes,
    planCode,
  });
  const records = used.map(recordOf);
  const taken = used.map((one) => {
    const [, , fromPlan, bytes] = one;
    return { ...recordOf(one), planCode: fromPlan, bytes: -bytes };
  });
  const watch = watchFor(records, new Map([[accountName, account]]), cycles, nowMs);
  const counted = await readCounted(db, { ecpdId, records, months: [] }, watch);
  return { ...counted, taken, cause: 'planChange', stepsOf };
}
