import type { Db } from '../../../platform/db/db.ts';
import { sql, upkeep } from '../../../platform/db/sql.ts';
import { LEASE_MS } from '../../../platform/lanes/leases.ts';
import type { Lane, LeasedLane } from './lane.ts';

/** From lane to lane by the index, reading one entry of each: the cost follows the number of lanes, not of messages. */
const WALKED = sql`
  with recursive lanes as (
    (select ecpd_id, account_name, service_name, due_at from callback_pending
     order by ecpd_id, account_name, service_name, due_at limit 1)
    union all
    select n.* from lanes l cross join lateral (
      select ecpd_id, account_name, service_name, due_at from callback_pending p
      where (p.ecpd_id, p.account_name, p.service_name) > (l.ecpd_id, l.account_name, l.service_name)
      order by ecpd_id, account_name, service_name, due_at limit 1) n)
  select * from lanes`;

/** Every server reads all that waits on it. */
const GATHERED = sql`
  select ecpd_id, account_name, service_name, min(due_at) as due_at from callback_pending group by 1, 2, 3`;

/** Every lane with something waiting, and when its first message is due. Takes no locks. */
const waitingLanes = ({ sharded }: Db) => sql`(
  select lanes.* from (${sharded ? GATHERED : WALKED}) lanes
  join callback_listener s using (ecpd_id, account_name, service_name)
  where not s.paused and s.url is not null)`;

/** Lanes with something waiting for a listener that was removed while it was posted or tried. */
export const listLanesOfNobody = (db: Db, limit: number) =>
  db.many<Lane>(sql`
    select lanes.ecpd_id as "ecpdId", lanes.account_name as "accountName", lanes.service_name as "serviceName"
    from (${db.sharded ? GATHERED : WALKED}) lanes
    left join callback_listener l using (ecpd_id, account_name, service_name)
    where l.url is null limit ${limit}`);

export interface LaneQuery {
  readonly dueBy: Date;
  readonly limit: number;
  /** Profiles that have as many lanes as they may. */
  readonly except?: readonly string[];
  readonly perProfileMax?: number;
}

/** Those with due messages that nobody holds, the one that has been due longest first. */
export const listLanes = (db: Db, { dueBy, limit, except = [], perProfileMax = limit }: LaneQuery) =>
  db.many<Lane & { readonly dueAt: Date }>(sql`
    select ecpd_id as "ecpdId", account_name as "accountName", service_name as "serviceName", due_at as "dueAt" from (
      select w.*, row_number() over (partition by w.ecpd_id order by w.due_at) as nth
      from ${waitingLanes(db)} w left join callback_lane k using (ecpd_id, account_name, service_name)
      where w.due_at <= ${dueBy} and (k.lease_until is null or k.lease_until < statement_timestamp())
        and w.ecpd_id <> all(${except}::text[])) free
    where nth <= ${perProfileMax} order by due_at, ecpd_id, account_name, service_name limit ${limit}`);

export const findNextDue = async (db: Db): Promise<Date | undefined> =>
  (await db.one<{ dueAt: Date | null }>(sql`select min(due_at) as "dueAt" from ${waitingLanes(db)} w`))
    .dueAt ?? undefined;

export const WAITING = sql`
  select p.due_at, p.move_nr from callback_pending p join callback_listener s using (ecpd_id, account_name, service_name)
  where not s.paused and s.url is not null`;

const unnestLanes = (lanes: readonly Lane[]) =>
  sql`unnest(${lanes.map((lane) => lane.accountName)}::text[], ${lanes.map((lane) => lane.serviceName)}::text[])`;

/** Of the lanes of one profile, those that are free now and so become ours. One let go by nobody is a dead worker's. */
export const claimLanes = (db: Db, ecpdId: string, lanes: readonly Lane[], leaseToken: string) =>
  db.many<LeasedLane & { readonly takenOver: boolean }>(sql`
    with before as (
      select account_name, service_name from callback_lane
      where ecpd_id = ${ecpdId} and lease_until > '-infinity' and (account_name, service_name) in (
        select a, s from ${unnestLanes(lanes)} as lane (a, s)))
    insert into callback_lane as k (ecpd_id, account_name, service_name, lease_token, lease_until)
    select ${ecpdId}, a, s, ${leaseToken}, statement_timestamp() + make_interval(secs => ${LEASE_MS / 1_000})
    from ${unnestLanes(lanes)} as lane (a, s) order by a, s
    on conflict (ecpd_id, account_name, service_name) do update
      set lease_token = excluded.lease_token, lease_until = excluded.lease_until
      where k.lease_until < statement_timestamp()
    returning ecpd_id as "ecpdId", account_name as "accountName", service_name as "serviceName",
      lease_token as "leaseToken",
      (account_name, service_name) in (select account_name, service_name from before) as "takenOver"`);

/**
 * Those of our lanes that are still ours, and whether they were renewed: one that somebody has locked is passed over, so
 * that it does not hold up the others, and renewed the next time.
 */
export const renewLanes = (db: Db, ecpdId: string, lanes: readonly LeasedLane[]) =>
  db.many<Lane & { readonly renewed: boolean }>(
    upkeep(sql`
    with ours as (
      select k.ecpd_id, k.account_name, k.service_name, k.lease_token
      from unnest(${lanes.map((lane) => lane.accountName)}::text[], ${lanes.map((lane) => lane.serviceName)}::text[],
                  ${lanes.map((lane) => lane.leaseToken)}::uuid[]) as held (a, s, token)
      join callback_lane k on k.ecpd_id = ${ecpdId} and k.account_name = held.a and k.service_name = held.s
        and k.lease_token = held.token),
    free as (
      select k.account_name, k.service_name from callback_lane k
      join ours on k.ecpd_id = ${ecpdId} and k.account_name = ours.account_name and k.service_name = ours.service_name
        and k.lease_token = ours.lease_token
      order by k.account_name, k.service_name for no key update of k skip locked),
    renewed as (
      update callback_lane k set lease_until = statement_timestamp() + make_interval(secs => ${LEASE_MS / 1_000})
      from free
      where k.ecpd_id = ${ecpdId} and k.account_name = free.account_name and k.service_name = free.service_name
      returning k.account_name, k.service_name)
    select o.ecpd_id as "ecpdId", o.account_name as "accountName", o.service_name as "serviceName",
      r.account_name is not null as renewed
    from ours o left join renewed r using (account_name, service_name)`),
  );

export const releaseLanes = (db: Db, ecpdId: string, lanes: readonly LeasedLane[]) =>
  db.exec(sql`
    update callback_lane k set lease_until = '-infinity'
    from unnest(${lanes.map((lane) => lane.accountName)}::text[], ${lanes.map((lane) => lane.serviceName)}::text[],
                ${lanes.map((lane) => lane.leaseToken)}::uuid[]) as held (a, s, token)
    where k.ecpd_id = ${ecpdId} and k.account_name = held.a and k.service_name = held.s and k.lease_token = held.token`);

/** Takes no lock: recording is fenced by itself. */
export const isLaneHeld = async (db: Db, lane: LeasedLane): Promise<boolean> =>
  (await db.maybe(sql`
    select from callback_lane where ecpd_id = ${lane.ecpdId} and account_name = ${lane.accountName}
      and service_name = ${lane.serviceName} and lease_token = ${lane.leaseToken}`)) !== undefined;
