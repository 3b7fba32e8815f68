import { type Ctx, causeOf } from '../../platform/context/context.ts';
import type { Firing } from './firing.ts';
import { insertFirings } from './sql.ts';

/**
 * Call it in the transaction that counted: a firing exists exactly when what it counted does. Answers those that had not
 * fired before, in the order given; only they are notified and acted upon.
 */
export async function recordFirings<F extends Firing>(
  { db, requestId }: Ctx,
  ecpdId: string,
  firings: readonly F[],
): Promise<readonly F[]> {
  if (firings.length === 0) return [];
  const fresh = new Set(
    (await insertFirings(db, ecpdId, firings, causeOf({ requestId }))).map(({ firingId }) => firingId),
  );
  return firings.filter(({ firingId }) => fresh.has(firingId));
}
