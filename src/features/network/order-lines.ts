import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { sql } from '../../platform/db/sql.ts';
import { isOpen, type LineNetwork, orderTime } from './line-network.ts';
import { goneFrom, isSame, type OrderCause, type Route, type WantedLine, wantedOf } from './order.ts';
import {
  cancelWaiting,
  insertOrders,
  type KnownOrder,
  listImsisOfOthers,
  listLastEffects,
  listNetworkLines,
  lockOpen,
  type NewOrder,
  replaceWaiting,
} from './sql-order.ts';

/** A notification makes workers query at once. */
export const ORDER_CHANNEL = 'linekeeper_network';

interface Ordered {
  readonly line: WantedLine;
  readonly route: Route;
}

/**
 * Orders lines in the transaction that requires the orders and has locked the lines, in one sequence per line and
 * element. Replaces waiting orders for the same line.
 */
export async function placeOrders(
  tx: Ctx,
  ecpdId: string,
  network: LineNetwork,
  ordered: readonly Ordered[],
  {
    cause,
    changeId = null,
    requestId = null,
  }: {
    readonly cause: OrderCause;
    readonly changeId?: string | null;
    readonly requestId?: string | null | undefined;
  },
): Promise<void> {
  if (ordered.length === 0) return;
  const at = orderTime(network, tx);
  const byLine = ordered.toSorted((a, b) =>
    a.line.imsi < b.line.imsi ? -1 : a.line.imsi > b.line.imsi ? 1 : 0,
  );
  // Orders are carried out in order of their ids, so in the order of lines: registers store neighbouring lines
  // together.
  const ids = ordered.map(() => tx.newId()).toSorted();
  const orders = byLine.map(
    ({ line, route }, n): NewOrder => ({
      orderId: ids[n]!,
      element: route.element,
      delayMs: route.delayMs ?? 0,
      line,
    }),
  );
  await lockOpen(tx.db, ecpdId, orders);
  const replaced = await replaceWaiting(tx.db, ecpdId, orders, { changeId, at });
  await insertOrders(tx.db, ecpdId, orders, {
    cause,
    changeId,
    requestId,
    at,
    maxAgeMs: network.maxAgeMs,
    moveNr: tx.clock.moveNr(),
  });
  await network.onClosed(tx, ecpdId, replaced);
  await tx.db.exec(sql`select pg_notify(${ORDER_CHANNEL}, '')`);
}

const withRoutes = (
  lines: readonly WantedLine[],
  routes: ReadonlyMap<string, readonly Route[]>,
): readonly Ordered[] =>
  lines.flatMap((line) => (routes.get(line.deviceId) ?? []).map((route) => ({ line, route })));

/** The line as last ordered; the element may have done it. */
export const orderedLine = (order: KnownOrder): WantedLine => ({
  deviceId: order.deviceId,
  accountName: order.accountName,
  imsi: order.imsi,
  ...(order.msisdn !== null && { msisdn: order.msisdn }),
  ...(order.imei !== null && { imei: order.imei }),
  ...(order.iccid !== null && { iccid: order.iccid }),
  wanted: order.wanted,
  ...(order.plan !== null && { plan: order.plan }),
});

/**
 * Which elements get an order. `all`: every one. `differing`: those that may have the line otherwise, and those that
 * are only ever notified afterwards. `back`: those that may have the line otherwise.
 */
type Which = 'all' | 'differing' | 'back';

const isWaitedFor = ({ cause }: KnownOrder): boolean => cause === 'request' || cause === 'resume';

function needsOrder(
  { line, route }: Ordered,
  last: KnownOrder | undefined,
  { which, failed }: { readonly which: Which; readonly failed: string | undefined },
): boolean {
  if (which === 'all') return true;
  if (last === undefined) return route.afterwards ? which === 'differing' : line.wanted !== 'gone';
  // The waiting change settles its own order, and an open order for the same state is enough.
  const isAwaited = isWaitedFor(last) && last.changeId !== failed;
  if (isOpen(last) && (isAwaited || isSame(orderedLine(last), line))) return false;
  return last.state !== 'done' || !isSame(orderedLine(last), line);
}

/**
 * Orders the present state of changed lines from the elements that serve them, and their removal from elements that
 * no longer do. Nothing waits for these orders.
 */
export async function orderLines(
  tx: Ctx,
  ecpdId: string,
  network: LineNetwork,
  deviceIds: readonly string[],
  {
    cause,
    which = 'all',
    failed,
    requestId,
  }: {
    readonly cause: OrderCause;
    readonly which?: Which;
    readonly failed?: string;
    /** The request whose change the elements follow. */
    readonly requestId?: string;
  },
): Promise<void> {
  if (deviceIds.length === 0) return;
  const rows = await listNetworkLines(tx.db, ecpdId, deviceIds);
  const lines = rows.flatMap((row) => wantedOf(row) ?? []);
  const routes = await network.routesOf(tx.db, ecpdId, lines);
  const last = await listLastEffects(tx.db, ecpdId, deviceIds);
  const keyOf = (element: string, imsi: string) => `${element} ${imsi}`;
  const lastOf = new Map(last.map((order) => [keyOf(order.element, order.imsi), order]));
  const now = withRoutes(lines, routes);
  const known = new Set(now.map(({ line, route }) => keyOf(route.element, line.imsi)));
  const unknown = last.filter(({ element, imsi }) => !known.has(keyOf(element, imsi)));
  // A line that another device has now must not be removed for this one.
  const taken = unknown.length === 0 ? new Set() : await listImsisOfOthers(tx.db, unknown);
  const left = unknown
    .filter(({ imsi }) => !taken.has(imsi))
    .filter((order) => order.wanted !== 'gone' || (order.state !== 'done' && !isOpen(order)))
    .map((order) => ({
      line: goneFrom(orderedLine(order)),
      route: { element: order.element, afterwards: false },
    }));
  const wanted = now.filter((each) =>
    needsOrder(each, lastOf.get(keyOf(each.route.element, each.line.imsi)), { which, failed }),
  );
  await placeOrders(tx, ecpdId, network, [...left, ...wanted], { cause, requestId });
}

/** After a failed change: cancels its waiting orders, and restores the lines on elements that may have done it. */
export async function putBack(
  tx: Ctx,
  ecpdId: string,
  network: LineNetwork,
  { changeId, deviceIds }: { readonly changeId: string; readonly deviceIds: readonly string[] },
): Promise<void> {
  await cancelWaiting(tx.db, ecpdId, { changeId, deviceIds, at: orderTime(network, tx) });
  await orderLines(tx, ecpdId, network, deviceIds, { cause: 'back', which: 'back', failed: changeId });
}

/** Orders the removal of lines that are about to be deleted. The orders outlive the lines. */
export async function orderDeletion(
  tx: Ctx,
  { ecpdId }: Pick<Tenant, 'ecpdId'>,
  network: LineNetwork,
  deviceIds: readonly string[],
): Promise<void> {
  const rows = await listNetworkLines(tx.db, ecpdId, deviceIds);
  const lines = rows.flatMap((row) => {
    const line = row.state === 'pre-active' ? undefined : wantedOf(row);
    return line === undefined ? [] : [goneFrom(line)];
  });
  const routes = await network.routesOf(tx.db, ecpdId, lines);
  await placeOrders(tx, ecpdId, network, withRoutes(lines, routes), { cause: 'follow' });
}
