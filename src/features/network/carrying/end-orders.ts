import type { Ctx } from '../../../platform/context/context.ts';
import type { LineNetwork } from '../line-network.ts';
import { deleteDifferences, insertDifferences } from '../sql-difference.ts';
import type { EndedOrder } from './sql-lane.ts';

/**
 * Applies the consequences of closed orders in the same transaction. Whatever waited is notified. A line that is not
 * as ordered, and that nothing waits for, becomes a difference; a line that is as ordered is none.
 */
export async function endOrders(
  tx: Ctx,
  { ecpdId, element }: { readonly ecpdId: string; readonly element: string },
  ended: readonly EndedOrder[],
  { network, afterwards }: { readonly network: LineNetwork; readonly afterwards: boolean },
): Promise<void> {
  const closed = ended.filter(({ state }) => state !== 'waiting' && state !== 'taken');
  if (closed.length === 0) return;
  const isDone = ({ state }: EndedOrder) => state === 'done';
  await deleteDifferences(
    tx.db,
    ecpdId,
    element,
    closed.filter(isDone).map(({ imsi }) => imsi),
  );
  const lost = closed.filter((order) => !isDone(order) && order.changeId === null && !afterwards);
  await insertDifferences(
    tx.db,
    ecpdId,
    element,
    lost.map(({ imsi, accountName, deviceId, wanted }) => ({
      imsi,
      accountName,
      deviceId,
      here: wanted,
      there: 'unconfirmed',
    })),
    tx.now(),
  );
  await network.onClosed(
    tx,
    ecpdId,
    closed.filter(({ changeId }) => changeId !== null),
  );
}
