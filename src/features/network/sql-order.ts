import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { isOlder, type NewestFirst } from '../../platform/db/newest-first.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { type Query, sql, trusted } from '../../platform/db/sql.ts';
import type { NetworkLine, OrderCause, WantedLine } from './order.ts';

export interface NewOrder {
  readonly orderId: string;
  readonly element: string;
  readonly delayMs: number;
  readonly line: WantedLine;
}

/** An order that nothing waits for any longer, with what had waited for it. */
export interface ClosedOrder {
  readonly cause: OrderCause;
  readonly changeId: string | null;
  readonly accountName: string;
  readonly deviceId: string;
}

const CLOSED = trusted(
  'o.cause, o.change_id as "changeId", o.account_name as "accountName", o.device_id as "deviceId"',
);

/**
 * Locks the open orders of the same lines until the transaction ends, because an element may take or confirm one at
 * any moment. A confirmation without this lock would miss the new order behind it, which would then wait for the
 * whole time limit of the old one.
 */
export const lockOpen = (db: Db, ecpdId: string, orders: readonly NewOrder[]) =>
  db.many(sql`
    select from network_order
    where ecpd_id = ${ecpdId} and state in ('waiting', 'taken')
      and element = any(${[...new Set(orders.map(({ element }) => element))]}::text[])
      and imsi = any(${orders.map(({ line }) => line.imsi)}::text[])
    order by order_id for no key update`);

/** The new orders replace waiting ones for the same lines and elements, except those of the same change. */
export const replaceWaiting = (
  db: Db,
  ecpdId: string,
  orders: readonly NewOrder[],
  { changeId, at }: { readonly changeId: string | null; readonly at: Query },
) =>
  db.many<ClosedOrder>(sql`
    update network_order o set state = 'replaced', reason = 'replaced by a newer order', due_at = null, closed_at = ${at}
    where o.ecpd_id = ${ecpdId} and o.state = 'waiting'
      -- As arrays an index can use them; a join could read all orders for each row.
      and o.element = any(${[...new Set(orders.map(({ element }) => element))]}::text[])
      and o.imsi = any(${orders.map(({ line }) => line.imsi)}::text[])
      and (o.element, o.imsi) in (
        select * from unnest(${orders.map(({ element }) => element)}::text[], ${orders.map(({ line }) => line.imsi)}::text[]))
      and (${changeId}::uuid is null or o.change_id is distinct from ${changeId}::uuid)
    returning ${CLOSED}`);

/**
 * Skips orders that the change has already placed. The sequence number grows with each order for a line: it is the
 * time in milliseconds, or the last number plus one if that is greater. So it also grows when earlier orders were
 * deleted, or belonged to another profile.
 */
export const insertOrders = (
  db: Db,
  ecpdId: string,
  orders: readonly NewOrder[],
  {
    cause,
    changeId,
    requestId,
    at,
    maxAgeMs,
    moveNr,
  }: {
    cause: OrderCause;
    changeId: string | null;
    requestId: string | null;
    at: Query;
    maxAgeMs: number;
    moveNr: number;
  },
) =>
  db.exec(sql`
    insert into network_order (ecpd_id, order_id, account_name, device_id, element, imsi, nr, msisdn, imei, iccid, wanted, plan,
      cause, change_id, request_id, state, created_at, due_at, expires_at, move_nr)
    select p.ecpd_id, new.order_id, new.account_name, new.device_id, new.element, new.imsi,
      greatest((extract(epoch from ${at}::timestamptz) * 1000)::bigint, 1 + (select max(b.nr) from network_order b
        where b.ecpd_id = ${ecpdId} and b.element = new.element and b.imsi = new.imsi)),
      new.msisdn, new.imei, new.iccid, new.wanted, new.plan, ${cause}, ${changeId}, ${requestId}, 'waiting', ${at},
      -- Not before the element has confirmed what it has taken.
      coalesce((select max(t.expires_at) from network_order t
        where t.ecpd_id = ${ecpdId} and t.element = new.element and t.imsi = new.imsi and t.state = 'taken'),
        ${at}::timestamptz + make_interval(secs => new.delay_ms / 1000.0)),
      ${at}::timestamptz + make_interval(secs => ${maxAgeMs / 1_000}), ${moveNr}
    from profile p cross join unnest(${plainArray(orders.map(({ orderId }) => orderId))}::uuid[],
      ${orders.map(({ line }) => line.accountName)}::text[], ${plainArray(orders.map(({ line }) => line.deviceId))}::uuid[],
      ${orders.map(({ element }) => element)}::text[], ${orders.map(({ line }) => line.imsi)}::text[],
      ${orders.map(({ line }) => line.msisdn ?? null)}::text[], ${orders.map(({ line }) => line.imei ?? null)}::text[],
      ${orders.map(({ line }) => line.iccid ?? null)}::text[], ${orders.map(({ line }) => line.wanted)}::text[],
      ${orders.map(({ line }) => line.plan ?? null)}::text[], ${plainArray(orders.map(({ delayMs }) => delayMs))}::int[])
      as new (order_id, account_name, device_id, element, imsi, msisdn, imei, iccid, wanted, plan, delay_ms)
    where p.ecpd_id = ${ecpdId}
    on conflict (ecpd_id, change_id, device_id, element) do nothing`);

export interface KnownOrder {
  readonly deviceId: string;
  readonly element: string;
  readonly imsi: string;
  readonly accountName: string;
  readonly wanted: WantedLine['wanted'];
  readonly plan: string | null;
  readonly msisdn: string | null;
  readonly imei: string | null;
  readonly iccid: string | null;
  readonly state: 'waiting' | 'taken' | 'done' | 'refused' | 'failed' | 'replaced';
  readonly cause: OrderCause;
  readonly changeId: string | null;
  readonly reason: string | null;
  readonly closedAt: Date | null;
}

export const KNOWN = trusted(
  'o.device_id as "deviceId", o.element, o.imsi, o.account_name as "accountName", o.wanted, o.plan, o.msisdn, o.imei, o.iccid, o.state, o.cause, o.change_id as "changeId", o.reason, o.closed_at as "closedAt"',
);

/** Cancels the waiting orders of a failed change. */
export const cancelWaiting = (
  db: Db,
  ecpdId: string,
  { changeId, deviceIds, at }: { changeId: string; deviceIds: readonly string[]; at: Query },
) =>
  db.exec(sql`
    update network_order set state = 'replaced', reason = 'the change has failed elsewhere', due_at = null, closed_at = ${at}
    where ecpd_id = ${ecpdId} and change_id = ${changeId} and device_id = any(${plainArray(deviceIds)}::uuid[])
      and state = 'waiting'`);

/** The orders that a change has placed for these lines. */
export const listOrdersOf = (db: Db, ecpdId: string, changeId: string, deviceIds: readonly string[]) =>
  db.many<KnownOrder>(sql`
    select ${KNOWN} from network_order o
    where o.ecpd_id = ${ecpdId} and o.change_id = ${changeId} and o.device_id = any(${plainArray(deviceIds)}::uuid[])
    order by o.element, o.order_id`);

/** The present, in the time that orders use. */
export const findOrderTime = (db: Db, at: Query): Promise<Date> => db.value<Date>(sql`select ${at} as at`);

const listLast = (among: Query) => (db: Db, ecpdId: string, deviceIds: readonly string[]) =>
  db.many<KnownOrder>(sql`
    select distinct on (o.element, o.imsi) ${KNOWN} from network_order o
    where o.ecpd_id = ${ecpdId} and o.device_id = any(${plainArray(deviceIds)}::uuid[]) and ${among}
    order by o.element, o.imsi, o.nr desc`);

/** The last order for each line on each element, in whatever state. */
export const listLastOrders = listLast(sql`true`);

/**
 * The last orders that may have changed a line on its element. If such an order is done, the element has the line as
 * ordered; otherwise its state is uncertain. A refused order leaves the line as it was.
 */
export const listLastEffects = listLast(sql`o.state <> 'refused'`);

export const listLastConfirmed = listLast(sql`o.state = 'done'`);

/** The IMSIs of these orders that another device has now, of whatever customer. */
export const listImsisOfOthers = async (
  db: Db,
  orders: readonly KnownOrder[],
): Promise<ReadonlySet<string>> =>
  new Set(
    await db.values<string>(sql`
      select di.value as imsi
      from unnest(${orders.map(({ imsi }) => imsi)}::text[],
        ${plainArray(orders.map(({ deviceId }) => deviceId))}::uuid[]) as given (imsi, device_id)
      join device_identifier di on di.kind = 'imsi' and di.value = given.imsi and di.device_id <> given.device_id`),
  );

/** An order that no change waited for and that its element did not carry out: the line has changed nevertheless. */
interface Unfollowed {
  readonly element: string;
  readonly wanted: string;
  readonly state: 'refused' | 'failed';
  readonly reason: string;
}

const UNFOLLOWED = sql`element, wanted, state, coalesce(reason, 'no reason was given') as reason`;

/** The lines of a request that elements did not follow. */
export const listUnfollowedOf = (db: Db, ecpdId: string, requestId: string, deviceIds: readonly string[]) =>
  db.many<Unfollowed & { readonly deviceId: string }>(sql`
    select device_id as "deviceId", ${UNFOLLOWED} from network_order
    where ecpd_id = ${ecpdId} and request_id = ${requestId} and state in ('refused', 'failed')
      and device_id = any(${plainArray(deviceIds)}::uuid[])
    order by element, order_id`);

/** How many lines of a request elements did not follow. */
export const countUnfollowed = (db: Db, ecpdId: string, requestId: string): Promise<number> =>
  db.value<number>(sql`
    select count(distinct device_id)::int as n from network_order
    where ecpd_id = ${ecpdId} and request_id = ${requestId} and state in ('refused', 'failed')`);

/** Of one line in its account, since it came there; newest first. */
export const listUnfollowedByDevice = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { deviceId, since }: { readonly deviceId: string; readonly since: Date },
  page: NewestFirst,
) =>
  db.many<Unfollowed & { readonly key: string; readonly at: Date; readonly requestId: string | null }>(sql`
    select order_id::text as key, closed as at, request_id as "requestId", ${UNFOLLOWED}
    from (select *, date_trunc('milliseconds', closed_at) as closed from network_order
      where ecpd_id = ${ecpdId} and device_id = ${deviceId} and account_name = ${accountName}
        and state in ('refused', 'failed') and change_id is null and closed_at >= ${since}) own
    where ${isOlder(sql`closed`, sql`order_id::text`, page)}
    order by closed desc, order_id::text collate "C" desc limit ${page.limit}`);

/** The present lines, in whichever account of the profile they are. */
export const listNetworkLines = (db: Db, ecpdId: string, deviceIds: readonly string[]) =>
  db.many<NetworkLine>(sql`
    select ${LINE} from device
    where ecpd_id = ${ecpdId} and kind <> 'sensor' and device_id = any(${plainArray(deviceIds)}::uuid[])`);

export const LINE = trusted(
  'device_id as "deviceId", account_name as "accountName", state, service_plan as "servicePlan", imsi, msisdn, mdn, imei, iccid',
);

/** The next lines of an account that elements could know. */
export const listLinesOfAccount = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { after, limit }: { readonly after: string; readonly limit: number },
) =>
  db.many<NetworkLine>(sql`
    select ${LINE} from device
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and kind <> 'sensor' and device_id > ${after}
    order by device_id limit ${limit}`);

/**
 * Deletes old orders, and keeps those by which it is known what an element has of a line: the last one confirmed, if the
 * line is there, and the last one that may have been carried out. The read across profiles takes no locks; each change names
 * one profile. Returns how many orders it dealt with.
 */
export async function deleteClosed(db: Db, closedBefore: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; ids: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(order_id) as ids from (
      select ecpd_id, order_id from network_order
      where closed_at < ${closedBefore} and not kept order by closed_at limit ${limit}) oldest
    group by ecpd_id`);
  for (const { ecpdId, ids } of old) {
    const later = (states: Query) => sql`exists (
      select 1 from network_order l
      where l.ecpd_id = ${ecpdId} and l.element = o.element and l.imsi = o.imsi and l.nr > o.nr and ${states})`;
    const isKnown = sql`case o.state when 'done' then o.wanted <> 'gone' and not ${later(sql`l.state = 'done'`)}
      when 'refused' then false else not ${later(sql`l.state <> 'refused'`)} end`;
    await db.exec(sql`
      with own as materialized (
        select o.order_id, o.element, o.imsi, ${isKnown} as is_known from network_order o
        where o.ecpd_id = ${ecpdId} and o.order_id = any(${plainArray(ids)}::uuid[])),
      earlier as materialized (
        select o.order_id, ${isKnown} as is_known from network_order o
        where o.ecpd_id = ${ecpdId} and o.kept
          and (o.element, o.imsi) in (select element, imsi from own)),
      marked as (
        update network_order o set kept = true from own
        where o.ecpd_id = ${ecpdId} and o.order_id = own.order_id and own.is_known)
      delete from network_order o using (
        select order_id, is_known from own union all select order_id, is_known from earlier) gone
      where o.ecpd_id = ${ecpdId} and o.order_id = gone.order_id and not gone.is_known`);
  }
  return old.reduce((sum, { ids }) => sum + ids.length, 0);
}
