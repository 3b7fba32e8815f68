import type { Db } from '../../../platform/db/db.ts';
import { listPlansAt } from '../../devices/index.ts';
import type { LedgerAccount, LedgerRecord } from '../ledger.ts';
import { listMovedSince } from './sql-seen-moves.ts';

/** A line left its account after its records were looked up. */
export class LineHasLeft extends Error {}

/**
 * Updates the plan of records whose line's usage was moved to another plan after they were looked up. The caller shares
 * the usage of their accounts, so that no further move can start. Most batches have no such record.
 */
export async function replanRecords(
  db: Db,
  ecpdId: string,
  records: readonly LedgerRecord[],
  {
    known,
    now,
  }: {
    readonly known: ReadonlyMap<string, LedgerAccount>;
    readonly now: readonly { readonly accountName: string; readonly lastMove: bigint }[];
  },
): Promise<readonly LedgerRecord[]> {
  const seenOf = (accountName: string) => known.get(accountName)?.lastMove ?? 0n;
  const moved = new Set(
    now.filter(({ accountName, lastMove }) => lastMove > seenOf(accountName)).map((one) => one.accountName),
  );
  if (moved.size === 0) return records;
  const places = records.flatMap(({ accountName }, n) => (moved.has(accountName) ? [n] : []));
  const found = await listMovedSince(
    db,
    ecpdId,
    places.map((n) => ({ ...records[n]!, lastMove: seenOf(records[n]!.accountName) })),
  );
  if (found.some(({ hasLeft }) => hasLeft)) throw new LineHasLeft();
  const movedPlaces = found.map(({ nth }) => places[nth]!);
  const plans = await listPlansAt(
    db,
    ecpdId,
    movedPlaces.map((n) => records[n]!),
  );
  const planned = new Map(plans.map(({ nth, planCode }) => [movedPlaces[nth]!, planCode]));
  return records.map((record, n) => {
    const planCode = planned.get(n);
    return planCode === undefined ? record : { ...record, planCode };
  });
}
