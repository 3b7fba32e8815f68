import { type Ctx, causeOf } from '../../platform/context/context.ts';
import type { Firing } from './firing.ts';
import { insertFirings } from './sql.ts';

/**
 * Call this in the transaction that counted the usage: a firing commits with the usage that it counted. Returns the
 * firings that are new, in the given order; only these are notified and acted on.
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
