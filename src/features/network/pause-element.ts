import { type Ctx, inTx } from '../../platform/context/context.ts';
import { sql } from '../../platform/db/sql.ts';
import { type LineNetwork, orderTime } from './line-network.ts';
import { ORDER_CHANNEL } from './order-lines.ts';
import { listProfilesWaiting, renewOrders, setPaused } from './sql-element.ts';
import { findOrderTime } from './sql-order.ts';

/** Stops orders to the element. Waiting orders do not age during the pause. */
export const pauseElement = (ctx: Ctx, element: string, by: string): Promise<unknown> =>
  setPaused(ctx.db, element, by, ctx.now());

/** Orders that waited get their full time again. */
export async function resumeElement(ctx: Ctx, network: LineNetwork, element: string): Promise<void> {
  const now = await findOrderTime(ctx.db, orderTime(network, ctx));
  const expiresAt = new Date(now.getTime() + network.maxAgeMs);
  for (const ecpdId of await listProfilesWaiting(ctx.db, element))
    await inTx(ctx, (tx) => renewOrders(tx.db, ecpdId, element, expiresAt), ecpdId);
  await setPaused(ctx.db, element, undefined, ctx.now());
  await ctx.db.exec(sql`select pg_notify(${ORDER_CHANNEL}, '')`);
}
