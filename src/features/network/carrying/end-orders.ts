import type { Ctx } from '../../../platform/context/context.ts';
import type { LineNetwork } from '../line-network.ts';
import { differenceOf, isSame, wantedOf } from '../order.ts';
import { orderedLine } from '../order-lines.ts';
import { deleteDifferences, insertDifferences } from '../sql-difference.ts';
import { type KnownOrder, listLastConfirmed, listLastEffects, listNetworkLines } from '../sql-order.ts';

interface Lane {
  readonly ecpdId: string;
  readonly element: string;
}

/**
 * Of orders that were not carried out: the lines that the element does not have as they should be, by the last order
 * that it confirmed. If a change waited for the order, the line should still be as it is here.
 */
async function findDiffering(tx: Ctx, { ecpdId, element }: Lane, lost: readonly KnownOrder[]) {
  if (lost.length === 0) return [];
  const ids = lost.map(({ deviceId }) => deviceId);
  const rows = await listNetworkLines(tx.db, ecpdId, ids);
  const lines = new Map(rows.map((row) => [row.deviceId, wantedOf(row)]));
  const byImsi = (orders: readonly KnownOrder[]) =>
    new Map(orders.filter((order) => order.element === element).map((order) => [order.imsi, order]));
  const effects = byImsi(await listLastEffects(tx.db, ecpdId, ids));
  const confirmed = byImsi(await listLastConfirmed(tx.db, ecpdId, ids));
  return lost.flatMap((order) => {
    const { imsi, accountName, deviceId, changeId } = order;
    const here = changeId === null ? orderedLine(order) : lines.get(deviceId);
    if (here?.imsi !== imsi) return [];
    const [last, known] = [effects.get(imsi), confirmed.get(imsi)];
    const isAsHere = known !== undefined && isSame(here, orderedLine(known));
    // An element may have a line that nothing is known of: a removal that nothing waited for may concern it.
    if (last === undefined ? changeId !== null && here.wanted === 'gone' : last.state === 'done' && isAsHere)
      return [];
    const difference = known && differenceOf(here, { ...known, state: known.wanted });
    const words = difference ?? { here: here.wanted, there: 'unconfirmed' };
    return [{ imsi, accountName, deviceId, ...words }];
  });
}

/**
 * Applies the consequences of closed orders in the same transaction. Whatever waited is notified. A line that is as
 * ordered is no difference; one whose order was not carried out may be.
 */
export async function endOrders(
  tx: Ctx,
  lane: Lane,
  ended: readonly KnownOrder[],
  { network, afterwards }: { readonly network: LineNetwork; readonly afterwards: boolean },
): Promise<void> {
  const { ecpdId, element } = lane;
  const closed = ended.filter(({ state }) => state !== 'waiting' && state !== 'taken');
  if (closed.length === 0) return;
  const isDone = ({ state }: KnownOrder) => state === 'done';
  await deleteDifferences(
    tx.db,
    ecpdId,
    element,
    closed.filter(isDone).map(({ imsi }) => imsi),
  );
  const lost = afterwards ? [] : closed.filter((order) => !isDone(order));
  await insertDifferences(tx.db, ecpdId, element, await findDiffering(tx, lane, lost), tx.now());
  await network.onClosed(
    tx,
    ecpdId,
    closed.filter(({ changeId }) => changeId !== null),
  );
}
