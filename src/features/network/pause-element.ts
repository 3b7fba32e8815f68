import { type Ctx, inTx } from '../../platform/context/context.ts';
import { sql } from '../../platform/db/sql.ts';
import { type LineNetwork, orderTime } from './line-network.ts';
import { ORDER_CHANNEL } from './order-lines.ts';
import { listProfilesWaiting, renewOrders, setPaused } from './sql-element.ts';

/** Nothing more is ordered from the element. What waits does not age meanwhile. */
export const pauseElement = (ctx: Ctx, element: string, by: string): Promise<unknown> =>
  setPaused(ctx.db, element, by, ctx.now());

/** Orders that waited have all of their time before them. */
export async function resumeElement(ctx: Ctx, network: LineNetwork, element: string): Promise<void> {
  const at = orderTime(network, ctx);
  for (const ecpdId of await listProfilesWaiting(ctx.db, element))
    await inTx(ctx, (tx) => renewOrders(tx.db, ecpdId, element, { at, maxAgeMs: network.maxAgeMs }), ecpdId);
  await setPaused(ctx.db, element, undefined, ctx.now());
  await ctx.db.exec(sql`select pg_notify(${ORDER_CHANNEL}, '')`);
}
