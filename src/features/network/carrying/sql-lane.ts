import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { onlyReachable } from '../../../platform/db/reachable.ts';
import { type Query, sql, upkeep } from '../../../platform/db/sql.ts';
import { LEASE_MS } from '../../../platform/lanes/leases.ts';
import type { LineOrder } from '../port.ts';
import { KNOWN, type KnownOrder } from '../sql-order.ts';

/** The orders of one profile for one element. One worker at a time carries them out, which keeps their sequence. */
export interface Lane {
  readonly ecpdId: string;
  readonly element: string;
  readonly dueAt?: Date;
}

export interface LeasedLane extends Lane {
  readonly leaseToken: string;
}

export const laneKey = ({ ecpdId, element }: Lane): string => `${element} ${ecpdId}`;

/** Jumps from lane to lane through the index: the cost depends on the number of lanes, not of orders. */
const WALKED = sql`
  with recursive lanes as (
    (select ecpd_id, element, due_at from network_order where closed_at is null
     order by ecpd_id, element, due_at limit 1)
    union all
    select n.* from lanes l cross join lateral (
      select ecpd_id, element, due_at from network_order r
      where closed_at is null and (r.ecpd_id, r.element) > (l.ecpd_id, l.element)
      order by ecpd_id, element, due_at limit 1) n)
  select * from lanes`;

/** On a cluster, every server reads all of its waiting orders. */
const gather = (db: Db) => sql`
  select ecpd_id, element, min(due_at) as due_at from network_order
  where closed_at is null and ${onlyReachable(db, 'ecpd_id')} group by 1, 2`;

/** Every lane with open orders, and when the first one is due. Takes no locks. */
const openLanes = (db: Db) => sql`(${db.sharded ? gather(db) : WALKED})`;

/**
 * Free lanes, the longest waiting first. The limit applies per element, so an element that does nothing cannot hide
 * the lanes of others.
 */
export const listDueLanes = (db: Db, at: Query, limit: number) =>
  db.many<Lane & { readonly dueAt: Date }>(sql`
    select "ecpdId", element, "dueAt" from (
      select w.ecpd_id as "ecpdId", w.element, w.due_at as "dueAt",
        row_number() over (partition by w.element order by w.due_at, w.ecpd_id) as place
      from ${openLanes(db)} w left join network_lane k on k.ecpd_id = w.ecpd_id and k.element = w.element
        and ${onlyReachable(db, 'k.ecpd_id')}
      where w.due_at <= ${at} and (k.lease_until is null or k.lease_until < statement_timestamp())) due
    where place <= ${limit} order by "dueAt", "ecpdId", element`);

export const findNextDue = async (db: Db): Promise<Date | undefined> =>
  (await db.one<{ dueAt: Date | null }>(sql`select min(due_at) as "dueAt" from ${openLanes(db)} w`)).dueAt ??
  undefined;

export const isAnyDue = async (db: Db, at: Query): Promise<boolean> =>
  (
    await db.one<{ due: boolean }>(
      sql`select exists (select 1 from ${openLanes(db)} w where w.due_at <= ${at}) as due`,
    )
  ).due;

export const OPEN_ORDERS = sql`select due_at, move_nr from network_order where closed_at is null`;

/** Claims the lane if it is free; otherwise returns no row. */
export const claimLane = (db: Db, { ecpdId, element }: Lane, leaseToken: string) =>
  db.many<LeasedLane>(sql`
    insert into network_lane as k (ecpd_id, element, lease_token, leased_at, lease_until)
    values (${ecpdId}, ${element}, ${leaseToken}, statement_timestamp(),
      statement_timestamp() + make_interval(secs => ${LEASE_MS / 1_000}))
    on conflict (ecpd_id, element) do update
      set lease_token = excluded.lease_token, leased_at = excluded.leased_at, lease_until = excluded.lease_until
      where k.lease_until < excluded.leased_at
    returning ecpd_id as "ecpdId", element, lease_token as "leaseToken"`);

/** Those of our lanes of one profile that are still ours and were not released in between. */
export const renewLanes = (db: Db, ecpdId: string, lanes: readonly LeasedLane[]) =>
  db.many<Lane>(
    upkeep(sql`
    update network_lane k set lease_until = statement_timestamp() + make_interval(secs => ${LEASE_MS / 1_000})
    from unnest(${lanes.map((lane) => lane.element)}::text[], ${lanes.map((lane) => lane.leaseToken)}::uuid[]) as held (e, token)
    where k.ecpd_id = ${ecpdId} and k.element = held.e and k.lease_token = held.token
      and k.lease_until > '-infinity'
    returning k.ecpd_id as "ecpdId", k.element`),
  );

export const releaseLane = (db: Db, { ecpdId, element, leaseToken }: LeasedLane) =>
  db.exec(sql`
    update network_lane set lease_until = '-infinity'
    where ecpd_id = ${ecpdId} and element = ${element} and lease_token = ${leaseToken}`);

/** Locks the lane until the transaction ends; false if another worker holds it by now. */
export const holdLane = async (db: Db, { ecpdId, element, leaseToken }: LeasedLane): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from network_lane
    where ecpd_id = ${ecpdId} and element = ${element} and lease_token = ${leaseToken} for share`)) !==
  undefined;

export interface DueOrder extends LineOrder {
  readonly attempts: number;
  readonly moveNr: number;
}

interface DueRow extends Omit<DueOrder, 'msisdn' | 'imei' | 'iccid' | 'plan'> {
  readonly msisdn: string | null;
  readonly imei: string | null;
  readonly iccid: string | null;
  readonly plan: string | null;
}

const present = ({ msisdn, imei, iccid, plan, ...rest }: DueRow): DueOrder => ({
  ...rest,
  ...(msisdn !== null && { msisdn }),
  ...(imei !== null && { imei }),
  ...(iccid !== null && { iccid }),
  ...(plan !== null && { plan }),
});

/** The next orders: for each line the first open one, and none while the element has one of the line to confirm. */
export const listDueOrders = async (
  db: Db,
  { ecpdId, element }: Lane,
  at: Query,
  limit: number,
): Promise<readonly DueOrder[]> =>
  (
    await db.many<DueRow>(sql`
      select o.order_id as "orderId", o.account_name as "accountName", o.imsi, o.msisdn, o.imei, o.iccid, o.wanted, o.plan,
        o.nr::float8 as sequence, o.attempts, o.move_nr as "moveNr"
      from network_order o
      where o.ecpd_id = ${ecpdId} and o.element = ${element} and o.closed_at is null and o.state = 'waiting' and o.due_at <= ${at}
        -- One lookup per line, and by state: on a freshly filled table, each lookup would otherwise read the whole index
        -- of open orders.
        and o.nr = (
          select e.nr from network_order e
          where e.ecpd_id = ${ecpdId} and e.element = ${element} and e.imsi = o.imsi and e.state in ('waiting', 'taken')
          order by e.nr limit 1)
      order by o.due_at, o.order_id limit ${limit}`)
  ).map(present);

/** The outcome of an attempt. */
export interface Attempted {
  readonly orderId: string;
  readonly state: 'waiting' | 'taken' | 'done' | 'refused';
  readonly reason: string | null;
  /** The delay before the next try, for an order that waits. */
  readonly pauseMs: number;
}

/**
 * Orders replaced in between stay replaced. Returns the orders that were closed or taken. Times are passed with the
 * rows: a distributed database evaluates none inside a `case`.
 */
export const recordAttempts = (db: Db, { ecpdId }: Lane, attempted: readonly Attempted[], now: Date) =>
  db.many<KnownOrder>(sql`
    update network_order o set state = t.state, reason = t.reason, attempts = o.attempts + 1,
      due_at = case when t.state = 'waiting' then least(o.expires_at, t.next_at) when t.state = 'taken' then o.expires_at end,
      closed_at = case when t.state not in ('waiting', 'taken') then ${now}::timestamptz end
    from unnest(${plainArray(attempted.map(({ orderId }) => orderId))}::uuid[], ${attempted.map(({ state }) => state)}::text[],
      ${attempted.map(({ reason }) => reason)}::text[],
      ${plainArray(attempted.map(({ pauseMs }) => new Date(now.getTime() + pauseMs)))}::timestamptz[])
      as t (order_id, state, reason, next_at)
    where o.ecpd_id = ${ecpdId} and o.order_id = t.order_id and o.state = 'waiting'
    returning ${KNOWN}`);

/** Fails orders that are past their time limit, at most `limit` at a time. */
export const expireOrders = (
  db: Db,
  { ecpdId, element }: Lane,
  { at, reason, limit }: { readonly at: Query; readonly reason: string; readonly limit: number },
) =>
  db.many<KnownOrder>(sql`
    update network_order o set state = 'failed', reason = coalesce(o.reason, ${reason}), due_at = null, closed_at = ${at}::timestamptz
    where o.ecpd_id = ${ecpdId} and o.order_id in (
      select order_id from network_order
      where ecpd_id = ${ecpdId} and element = ${element} and closed_at is null and due_at <= ${at}
        and expires_at <= ${at}
      order by due_at limit ${limit})
    returning ${KNOWN}`);

/** Records an element's confirmation of a taken order; the answer `later` may not be recorded yet. */
export const confirmOrder = (
  db: Db,
  ecpdId: string,
  {
    orderId,
    state,
    reason,
    at,
  }: { orderId: string; state: 'done' | 'refused'; reason: string | null; at: Query },
) =>
  db.maybe<KnownOrder>(sql`
    update network_order o set state = ${state}, reason = ${reason}, due_at = null, closed_at = ${at}::timestamptz
    where o.ecpd_id = ${ecpdId} and o.order_id = ${orderId} and o.state in ('waiting', 'taken')
    returning ${KNOWN}`);

/** Makes orders due that waited behind orders the element had taken. */
export const releaseNext = (db: Db, ecpdId: string, element: string, imsis: readonly string[], at: Query) =>
  db.exec(sql`
    update network_order set due_at = ${at}::timestamptz
    where ecpd_id = ${ecpdId} and element = ${element} and imsi = any(${imsis}::text[]) and state = 'waiting' and attempts = 0
      and due_at > ${at}::timestamptz`);

/** The profile, element and state of an order. */
export const findOrder = (db: Db, orderId: string) =>
  db.maybe<{ readonly ecpdId: string; readonly element: string; readonly state: string }>(sql`
    select ecpd_id as "ecpdId", element, state from network_order where order_id = ${orderId}`);
