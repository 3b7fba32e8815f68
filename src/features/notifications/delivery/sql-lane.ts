import type { Db } from '../../../platform/db/db.ts';
import { onlyReachable } from '../../../platform/db/reachable.ts';
import { sql, upkeep } from '../../../platform/db/sql.ts';
import { LEASE_MS } from '../../../platform/lanes/leases.ts';
import type { Channel } from '../notification.ts';
import type { DueRecipient, Lane, LeasedLane } from './lane.ts';

/** Steps from lane to lane along the index: the cost grows with the number of lanes, not of recipients. */
const WALKED = sql`
  with recursive lanes as (
    (select ecpd_id, channel, due_at from notification_recipient where state = 'waiting'
     order by ecpd_id, channel, due_at limit 1)
    union all
    select n.* from lanes l cross join lateral (
      select ecpd_id, channel, due_at from notification_recipient r
      where state = 'waiting' and (r.ecpd_id, r.channel) > (l.ecpd_id, l.channel)
      order by ecpd_id, channel, due_at limit 1) n)
  select * from lanes`;

/** In a cluster, every server reads all its waiting recipients. */
const gather = (db: Db) => sql`
  select ecpd_id, channel, min(due_at) as due_at from notification_recipient
  where state = 'waiting' and ${onlyReachable(db, 'ecpd_id')} group by 1, 2`;

/** Every lane with waiting recipients, and when its first one is due. Takes no locks. */
const waitingLanes = (db: Db) => sql`(${db.sharded ? gather(db) : WALKED})`;

export const listDueLanes = (
  db: Db,
  { channel, dueBy, limit }: { channel: Channel; dueBy: Date; limit: number },
) =>
  db.many<Lane & { readonly dueAt: Date }>(sql`
    select w.ecpd_id as "ecpdId", w.channel, w.due_at as "dueAt"
    from ${waitingLanes(db)} w left join notification_lane k on k.ecpd_id = w.ecpd_id and k.channel = w.channel
      and ${onlyReachable(db, 'k.ecpd_id')}
    where w.channel = ${channel} and w.due_at <= ${dueBy}
      and (k.lease_until is null or k.lease_until < statement_timestamp())
    order by w.due_at, w.ecpd_id limit ${limit}`);

export const findNextDue = async (db: Db): Promise<Date | undefined> =>
  (await db.value<Date | null>(sql`select min(due_at) as "dueAt" from ${waitingLanes(db)} w`)) ?? undefined;

export const WAITING = sql`select due_at, move_nr from notification_recipient where state = 'waiting'`;

/** Counts up to a million. The age runs from when the notification was posted. */
export const measureBacklog = (db: Db, now: Date) =>
  db.many<{ channel: Channel; waiting: number; oldestSeconds: number }>(sql`
    select channel, count(*)::int as waiting,
      extract(epoch from ${now}::timestamptz - min(posted_at))::float8 as "oldestSeconds"
    from (select channel, posted_at from notification_recipient where state = 'waiting' limit 1000000) counted
    group by channel`);

/** Claims the lane if no worker holds it; otherwise returns nothing. */
export const claimLane = (db: Db, { ecpdId, channel }: Lane, leaseToken: string) =>
  db.many<LeasedLane>(sql`
    insert into notification_lane as k (ecpd_id, channel, lease_token, leased_at, lease_until)
    values (${ecpdId}, ${channel}, ${leaseToken}, statement_timestamp(),
      statement_timestamp() + make_interval(secs => ${LEASE_MS / 1_000}))
    on conflict (ecpd_id, channel) do update
      set lease_token = excluded.lease_token, leased_at = excluded.leased_at, lease_until = excluded.lease_until
      where k.lease_until < excluded.leased_at
    returning ecpd_id as "ecpdId", channel, lease_token as "leaseToken"`);

/** Renews the leases that this process still holds and has not released. Returns the renewed lanes. */
export const renewLanes = (db: Db, ecpdId: string, lanes: readonly LeasedLane[]) =>
  db.many<Lane>(
    upkeep(sql`
    update notification_lane k set lease_until = statement_timestamp() + make_interval(secs => ${LEASE_MS / 1_000})
    from unnest(${lanes.map((lane) => lane.channel)}::text[], ${lanes.map((lane) => lane.leaseToken)}::uuid[]) as held (c, token)
    where k.ecpd_id = ${ecpdId} and k.channel = held.c and k.lease_token = held.token
      and k.lease_until > '-infinity'
    returning k.ecpd_id as "ecpdId", k.channel`),
  );

export const releaseLane = (db: Db, { ecpdId, channel, leaseToken }: LeasedLane) =>
  db.exec(sql`
    update notification_lane set lease_until = '-infinity'
    where ecpd_id = ${ecpdId} and channel = ${channel} and lease_token = ${leaseToken}`);

/** The recipients of one notification are adjacent, so they can share a message. */
export const listDueRecipients = (db: Db, { ecpdId, channel }: Lane, now: Date, limit: number) =>
  db.many<DueRecipient>(sql`
    select r.notification_id as "notificationId", r.position, r.recipient, r.attempts as "attemptsMade", r.move_nr as "moveNr",
      n.subject, n.body as text, n.trace
    from (
      select notification_id, position, recipient, attempts, due_at, move_nr from notification_recipient
      where ecpd_id = ${ecpdId} and channel = ${channel} and state = 'waiting' and due_at <= ${now}
      order by due_at, notification_id, position limit ${limit}) r
    -- One index lookup per row: the planner would turn a join into a read of everything the profile ever posted.
    cross join lateral (
      select subject, body, trace from notification where ecpd_id = ${ecpdId} and notification_id = r.notification_id limit 1) n
    order by r.due_at, r.notification_id, r.position`);

/** A recipient whose attempt has ended, with the new state. */
export interface EndedRecipient {
  readonly due: DueRecipient;
  readonly state: 'waiting' | 'sent' | 'captured' | 'failed';
  readonly reason: string | null;
  /** Set only in the state waiting. */
  readonly nextDueAt: Date | null;
}

/** One statement, fenced by the lease: records nothing if another worker has claimed the lane. */
export const recordOutcomes = (
  db: Db,
  { ecpdId, channel, leaseToken }: LeasedLane,
  ended: readonly EndedRecipient[],
  triedAt: Date,
) =>
  db.exec(sql`
    with ours as (
      select 1 from notification_lane
      where ecpd_id = ${ecpdId} and channel = ${channel} and lease_token = ${leaseToken} for share)
    update notification_recipient r
    set state = e.state, reason = e.reason, due_at = e.next_due_at, attempts = e.attempts_made + 1, tried_at = ${triedAt}
    from unnest(${ended.map((e) => e.due.notificationId)}::uuid[], ${ended.map((e) => e.due.position)}::smallint[],
        ${ended.map((e) => e.state)}::text[], ${ended.map((e) => e.reason)}::text[], ${ended.map((e) => e.nextDueAt)}::timestamptz[],
        ${ended.map((e) => e.due.attemptsMade)}::smallint[])
      as e (notification_id, position, state, reason, next_due_at, attempts_made)
    where r.ecpd_id = ${ecpdId} and r.notification_id = e.notification_id and r.position = e.position
      -- Applied once: the write is repeated if the answer to the first one was lost.
      and r.attempts = e.attempts_made
      -- Forces the primary key. The planner believes the index of waiting rows to be empty and would otherwise
      -- read all waiting rows once for each of these.
      and r.notification_id = any(${ended.map((e) => e.due.notificationId)}::uuid[]) and r.due_at is not null
      and exists (select 1 from ours)`);
