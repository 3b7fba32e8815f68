import type { Db } from '../../../platform/db/db.ts';
import { onlyReachable } from '../../../platform/db/reachable.ts';
import { type Query, sql, upkeep } from '../../../platform/db/sql.ts';
import { LEASE_MS } from '../../../platform/lanes/leases.ts';
import type { Lane, LeasedLane } from './lane.ts';

/** Jumps from lane to lane through the index, one entry each: the cost depends on the number of lanes only. */
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

/** On a cluster, every server reads all of its waiting messages. */
const gather = (db: Db) => sql`
  select ecpd_id, account_name, service_name, min(due_at) as due_at from callback_pending
  where ${onlyReachable(db, 'ecpd_id')} group by 1, 2, 3`;
const lanesOf = (db: Db) => sql`(${db.sharded ? gather(db) : WALKED}) lanes`;

/** Every lane with waiting messages, and when its first message is due. Takes no locks. */
const waitingLanes = (db: Db) => sql`(
  select lanes.* from ${lanesOf(db)} join callback_listener s using (ecpd_id, account_name, service_name)
  where not s.paused and s.url is not null and ${onlyReachable(db, 's.ecpd_id')})`;

/** Lanes whose listener was removed while a message was being posted or tried. */
export const listLanesWithoutListener = (db: Db, limit: number) =>
  db.many<Lane>(sql`
    select lanes.ecpd_id as "ecpdId", lanes.account_name as "accountName", lanes.service_name as "serviceName"
    from ${lanesOf(db)} left join callback_listener l on l.ecpd_id = lanes.ecpd_id
      and l.account_name = lanes.account_name and l.service_name = lanes.service_name and ${onlyReachable(db, 'l.ecpd_id')}
    where l.url is null limit ${limit}`);

export interface LaneQuery {
  readonly dueBy: Date;
  readonly limit: number;
  /** Profiles that already hold their maximum of lanes. */
  readonly except?: readonly string[];
  readonly perProfileMax?: number;
}

/** Free lanes with due messages; the lane whose message has been due longest comes first. */
export const listLanes = (db: Db, { dueBy, limit, except = [], perProfileMax = limit }: LaneQuery) =>
  db.many<Lane & { readonly dueAt: Date }>(sql`
    select ecpd_id as "ecpdId", account_name as "accountName", service_name as "serviceName", due_at as "dueAt" from (
      select w.*, row_number() over (partition by w.ecpd_id order by w.due_at) as nth
      from ${waitingLanes(db)} w left join callback_lane k on k.ecpd_id = w.ecpd_id
        and k.account_name = w.account_name and k.service_name = w.service_name and ${onlyReachable(db, 'k.ecpd_id')}
      where w.due_at <= ${dueBy} and (k.lease_until is null or k.lease_until < statement_timestamp())
        and w.ecpd_id <> all(${except}::text[])) free
    where nth <= ${perProfileMax} order by due_at, ecpd_id, account_name, service_name limit ${limit}`);

export const findNextDue = async (db: Db): Promise<Date | undefined> =>
  (await db.value<Date | null>(sql`select min(due_at) as "dueAt" from ${waitingLanes(db)} w`)) ?? undefined;

export const WAITING = sql`
  select p.due_at, p.move_nr from callback_pending p join callback_listener s using (ecpd_id, account_name, service_name)
  where not s.paused and s.url is not null`;

const unnestLanes = (lanes: readonly Lane[]) =>
  sql`unnest(${lanes.map((lane) => lane.accountName)}::text[], ${lanes.map((lane) => lane.serviceName)}::text[])`;

/**
 * The lanes of one profile that are free and may be sent to. A lane that another process holds is not even locked:
 * its holder is about to record on it.
 */
const freeLanes = (ecpdId: string, lanes: readonly Lane[]) => sql`
  select a as "accountName", s as "serviceName" from ${unnestLanes(lanes)} as lane (a, s)
  join callback_listener l on l.ecpd_id = ${ecpdId} and l.account_name = a and l.service_name = s
  left join callback_lane known on known.ecpd_id = ${ecpdId} and known.account_name = a and known.service_name = s
  where not l.paused and l.url is not null and (known.lease_until is null or known.lease_until < statement_timestamp())`;

const leaseLanes = (db: Db, ecpdId: string, lanes: Query, leaseToken: string) =>
  db.many<LeasedLane & { readonly takenOver: boolean }>(sql`
    insert into callback_lane as k (ecpd_id, account_name, service_name, lease_token, leased_at, lease_until)
    select p.ecpd_id, a, s, ${leaseToken}, statement_timestamp(),
      statement_timestamp() + make_interval(secs => ${LEASE_MS / 1_000})
    from ${lanes} as lane (a, s) join profile p on p.ecpd_id = ${ecpdId} order by a, s
    on conflict (ecpd_id, account_name, service_name) do update
      set lease_token = excluded.lease_token, leased_at = excluded.leased_at, lease_until = excluded.lease_until,
        taken_over = k.lease_until > '-infinity'
      where k.lease_until < excluded.leased_at
    returning ecpd_id as "ecpdId", account_name as "accountName", service_name as "serviceName",
      lease_token as "leaseToken", taken_over as "takenOver"`);

/**
 * Claims lanes of one profile that are free and may be sent to. A lease that ended unreleased was a dead worker's.
 */
export async function claimLanes(db: Db, ecpdId: string, lanes: readonly Lane[], leaseToken: string) {
  if (!db.sharded) return leaseLanes(db, ecpdId, sql`(${freeLanes(ecpdId, lanes)})`, leaseToken);
  // A cluster runs a write on the profile's server alone only if the write reads no other tables.
  const free = await db.many<Lane>(freeLanes(ecpdId, lanes));
  return free.length === 0 ? [] : leaseLanes(db, ecpdId, unnestLanes(free), leaseToken);
}

/**
 * Returns which of our lanes are still ours, and whether each was renewed. A lane that another transaction has locked
 * is skipped, so that it does not delay the others, and renewed next time. A lane released in between is no longer
 * ours.
 */
export const renewLanes = (db: Db, ecpdId: string, lanes: readonly LeasedLane[]) =>
  db.many<Lane & { readonly renewed: boolean }>(
    upkeep(sql`
    with ours as (
      select k.ecpd_id, k.account_name, k.service_name, k.lease_token
      from unnest(${lanes.map((lane) => lane.accountName)}::text[], ${lanes.map((lane) => lane.serviceName)}::text[],
                  ${lanes.map((lane) => lane.leaseToken)}::uuid[]) as held (a, s, token)
      join callback_lane k on k.ecpd_id = ${ecpdId} and k.account_name = held.a and k.service_name = held.s
        and k.lease_token = held.token and k.lease_until > '-infinity'),
    free as (
      select k.account_name, k.service_name from callback_lane k
      join ours on k.ecpd_id = ${ecpdId} and k.account_name = ours.account_name and k.service_name = ours.service_name
        and k.lease_token = ours.lease_token and k.lease_until > '-infinity'
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
