import type { Ctx } from '../../platform/context/context.ts';
import { isOpen, type LineNetwork, orderTime } from './line-network.ts';
import { goneFrom, isSame, type NetworkLine, type Route, type WantedLine, wantedOf } from './order.ts';
import { orderedLine, placeOrders } from './order-lines.ts';
import { deleteDifferences, insertDifferences } from './sql-difference.ts';
import {
  findOrderTime,
  type KnownOrder,
  listLastConfirmed,
  listLastEffects,
  listLastOrders,
  listNetworkLines,
  listOrdersOf,
} from './sql-order.ts';

/** After this time, a line whose resume has failed is ordered again. */
const AGAIN_MS = 3_600_000;

/** A line before and after a change; `after` is undefined if it would be deleted. */
interface LineChange {
  readonly before: NetworkLine;
  readonly after: NetworkLine | undefined;
}

/** The state that a change requires of elements; undefined if it changes nothing for them. */
function targetOf({ before, after }: LineChange): WantedLine | undefined {
  const from = wantedOf(before);
  const to = after === undefined ? from && goneFrom(from) : wantedOf(after);
  return to === undefined || isSame(from, to) ? undefined : to;
}

interface HeldLine {
  readonly line: WantedLine;
  readonly routes: readonly Route[];
}

/** Given changes that are not made yet, returns those that elements must confirm first. */
export async function findHeld(
  { db }: Ctx,
  ecpdId: string,
  network: LineNetwork,
  changes: readonly LineChange[],
): Promise<readonly HeldLine[]> {
  const lines = changes.flatMap((change) => targetOf(change) ?? []);
  if (lines.length === 0) return [];
  const routes = await network.routesOf(db, ecpdId, lines);
  return lines.flatMap((line) => {
    const own = (routes.get(line.deviceId) ?? []).filter(({ afterwards }) => !afterwards);
    return own.length === 0 ? [] : [{ line, routes: own }];
  });
}

/** Places the orders to be confirmed, in the transaction that holds the change back. */
export const orderHeld = (
  tx: Ctx,
  ecpdId: string,
  network: LineNetwork,
  held: readonly HeldLine[],
  waiting: { readonly cause: 'request' | 'resume'; readonly changeId: string },
): Promise<void> =>
  placeOrders(
    tx,
    ecpdId,
    network,
    held.flatMap(({ line, routes }) => routes.map((route) => ({ line, route }))),
    waiting,
  );

/** The outcome of the last order for a line, if that order required the same state. */
type LastState = 'done' | 'under way' | 'failed lately' | undefined;

function lastStateOf(last: KnownOrder | undefined, line: WantedLine, nowMs: number): LastState {
  if (last === undefined || !isSame(orderedLine(last), line)) return undefined;
  if (last.state === 'done') return 'done';
  if (isOpen(last)) return 'under way';
  const isLate = (last.closedAt?.getTime() ?? 0) > nowMs - AGAIN_MS;
  return last.cause === 'resume' && isLate ? 'failed lately' : undefined;
}

/**
 * Returns lines of scheduled changes that the network has not confirmed yet, and places orders for them. An element
 * that failed is asked again an hour later.
 */
export async function holdResumes(
  tx: Ctx,
  ecpdId: string,
  network: LineNetwork,
  changes: readonly LineChange[],
): Promise<ReadonlySet<string>> {
  const lines = await findHeld(tx, ecpdId, network, changes);
  if (lines.length === 0) return new Set();
  const ids = lines.map(({ line }) => line.deviceId);
  const last = await listLastOrders(tx.db, ecpdId, ids);
  const nowMs = (await findOrderTime(tx.db, orderTime(network, tx))).getTime();
  const byKey = new Map(last.map((order) => [`${order.element} ${order.imsi}`, order]));
  const known = lines.map(({ line, routes }) => ({
    line,
    routes: routes.map((route) => ({
      route,
      last: lastStateOf(byKey.get(`${route.element} ${line.imsi}`), line, nowMs),
    })),
  }));
  const held = known.filter(({ routes }) => routes.some((each) => each.last !== 'done'));
  const missing = held.map(({ line, routes }) => ({
    line,
    routes: routes.filter((each) => each.last === undefined).map(({ route }) => route),
  }));
  await orderHeld(tx, ecpdId, network, missing, { cause: 'resume', changeId: tx.newId() });
  return new Set(held.map(({ line }) => line.deviceId));
}

/** The state of a held line: an order is open, every element has confirmed, or one could not. */
type HeldState = 'open' | 'confirmed' | { readonly reason: string };

function stateOf(orders: readonly KnownOrder[]): HeldState {
  const failed = orders.find((order) => !isOpen(order) && order.state !== 'done');
  if (failed !== undefined) return { reason: `${failed.element}: ${failed.reason ?? 'no reason was given'}` };
  return orders.some(isOpen) ? 'open' : 'confirmed';
}

/** By line; a line without orders of this change has no entry. */
export async function checkHeld(
  { db }: Ctx,
  ecpdId: string,
  changeId: string,
  deviceIds: readonly string[],
): Promise<ReadonlyMap<string, HeldState>> {
  const orders = await listOrdersOf(db, ecpdId, changeId, deviceIds);
  const byLine = Map.groupBy(orders, ({ deviceId }) => deviceId);
  return new Map([...byLine].map(([deviceId, own]) => [deviceId, stateOf(own)]));
}

/**
 * Call it when waiting changes of lines are settled: what elements have confirmed may now be as it is here. It was a
 * difference if another order of the line ended between the confirmation and the change.
 */
export async function clearSettled({ db }: Ctx, ecpdId: string, deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length === 0) return;
  const rows = await listNetworkLines(db, ecpdId, deviceIds);
  const lines = new Map(rows.map((row) => [row.deviceId, wantedOf(row)]));
  const alike = (await listLastEffects(db, ecpdId, deviceIds)).filter((order) => {
    const here = lines.get(order.deviceId);
    return order.state === 'done' && here !== undefined && isSame(here, orderedLine(order));
  });
  for (const [element, own] of Map.groupBy(alike, (order) => order.element))
    await deleteDifferences(
      db,
      ecpdId,
      element,
      own.map(({ imsi }) => imsi),
    );
}

/**
 * Call it when a change is not made although elements have carried it out. What they have is a difference, until they
 * have carried out the order that reverses it.
 */
export async function noteUnmade(
  { db, now }: Ctx,
  ecpdId: string,
  changeId: string,
  deviceIds: readonly string[],
): Promise<void> {
  const orders = await listOrdersOf(db, ecpdId, changeId, deviceIds);
  const lines = new Map(
    (await listNetworkLines(db, ecpdId, deviceIds)).map((line) => [line.deviceId, wantedOf(line)]),
  );
  // An order that was carried out later has changed the line again.
  const confirmed = await listLastConfirmed(db, ecpdId, deviceIds);
  const last = new Set(
    confirmed.filter((order) => order.changeId === changeId).map(({ element, imsi }) => `${element} ${imsi}`),
  );
  const unmade = orders.flatMap(({ element, imsi, accountName, deviceId, wanted: there }) => {
    const here = lines.get(deviceId)?.wanted;
    const differs = last.has(`${element} ${imsi}`) && here !== undefined && here !== there;
    return differs ? [{ element, imsi, accountName, deviceId, here, there }] : [];
  });
  for (const [element, own] of Map.groupBy(unmade, (each) => each.element))
    await insertDifferences(db, ecpdId, element, own, now());
}
