import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import { listOrderSimulations, type SimulatedOrders } from '../devices/index.ts';
import type { LineNetwork } from './line-network.ts';
import type { Route } from './order.ts';

/** The only element if no others are configured. */
export const SIMULATED = 'simulated';

/** How the simulated network handles orders by default; undefined if it confirms each at once. */
export async function findSimulatedOrders(db: Db): Promise<SimulatedOrders | undefined> {
  const row = await db.maybe<{ delayMs: number; refusal: string | null; silent: boolean }>(sql`
    select delay_ms as "delayMs", refusal, silent from simulated_orders`);
  if (row === undefined) return undefined;
  const { delayMs, refusal, silent } = row;
  return { ...(delayMs > 0 && { delayMs }), ...(refusal !== null && { refusal }), ...(silent && { silent }) };
}

export const setSimulatedOrders = (db: Db, orders: SimulatedOrders | undefined) =>
  orders === undefined || Object.keys(orders).length === 0
    ? db.exec(sql`delete from simulated_orders`)
    : db.exec(sql`
        insert into simulated_orders (delay_ms, refusal, silent)
        values (${orders.delayMs ?? 0}, ${orders.refusal ?? null}, ${orders.silent ?? false})
        on conflict (only_row) do update set delay_ms = excluded.delay_ms, refusal = excluded.refusal, silent = excluded.silent`);

/**
 * Routes lines for which the simulated network does not confirm at once. All other lines have no element, and so are
 * confirmed immediately.
 */
export const routeSimulated: LineNetwork['routesOf'] = async (db, ecpdId, lines) => {
  const [all, own] = await Promise.all([
    findSimulatedOrders(db),
    listOrderSimulations(
      db,
      ecpdId,
      lines.map(({ deviceId }) => deviceId),
    ),
  ]);
  const delays = new Map(own.map(({ deviceId, orders }) => [deviceId, orders.delayMs]));
  return new Map(
    lines
      .filter(({ deviceId }) => all !== undefined || delays.has(deviceId))
      .map(({ deviceId }): [string, readonly Route[]] => {
        const delayMs = delays.get(deviceId) ?? all?.delayMs ?? 0;
        return [deviceId, [{ element: SIMULATED, afterwards: false, delayMs }]];
      }),
  );
};
