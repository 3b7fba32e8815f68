import { type Ctx, inTx } from '../../platform/context/context.ts';
import { sql } from '../../platform/db/sql.ts';
import { endOrders } from './carrying/end-orders.ts';
import { confirmOrder, findOrder, releaseNext } from './carrying/sql-lane.ts';
import type { CheckedNetwork } from './check-lines.ts';
import { orderTime } from './line-network.ts';
import { ORDER_CHANNEL } from './order-lines.ts';
import { noteFailure } from './sql-element.ts';

interface Confirmation {
  readonly outcome: 'done' | 'failed';
  readonly reason?: string | undefined;
}

/**
 * Records an element's confirmation of an order that it took. Repeating it changes nothing. Returns the order's
 * state; undefined if there is no such order.
 */
export async function confirmLater(
  ctx: Ctx,
  { network, elements }: CheckedNetwork,
  orderId: string,
  { outcome, reason }: Confirmation,
): Promise<string | undefined> {
  const found = await findOrder(ctx.db, orderId);
  if (found === undefined) return undefined;
  const { ecpdId } = found;
  const afterwards = elements.some(({ element, afterwards: only }) => only && element.name === found.element);
  const ended = await inTx(
    ctx,
    async (tx) => {
      const at = orderTime(network, tx);
      const order = await confirmOrder(tx.db, ecpdId, {
        orderId,
        state: outcome === 'done' ? 'done' : 'refused',
        reason: outcome === 'done' ? null : (reason ?? 'the element gave no reason'),
        at,
      });
      if (order === undefined) return undefined;
      const { element, imsi } = order;
      await endOrders(tx, { ecpdId, element }, [order], { network, afterwards });
      await releaseNext(tx.db, ecpdId, element, [imsi], at);
      await tx.db.exec(sql`select pg_notify(${ORDER_CHANNEL}, '')`);
      return order;
    },
    ecpdId,
  );
  if (ended?.state === 'refused')
    await noteFailure(ctx.db, ended.element, {
      ...{ reason: ended.reason ?? '', silent: false, now: ctx.now() },
    });
  return ended?.state ?? found.state;
}
