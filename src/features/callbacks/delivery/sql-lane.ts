import { NIL_UUID } from '../../../kernel/uuid.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { type Query, sql, upkeep } from '../../../platform/db/sql.ts';
import { LEASE_MS } from '../../../platform/lanes/leases.ts';
import type { SendOutcome } from '../send-callback.ts';
import type { DueMessage, Lane, LeasedLane } from './lane.ts';
import { isAcknowledged } from './policy.ts';

const BATCH_BYTES_MAX = 4 * 1024 * 1024;

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

/** Messages of a lane with what is sent, as many as fit into a few megabytes. */
export const withPayloads = ({ ecpdId }: Lane, pending: Query) => sql`
  select "messageId", "requestId", "callerRequestId", payload, "restsOn", trace, "orderKey", due_at::text as "dueAt", series, "attemptsMade", "moveNr" from (
    select p.message_id as "messageId", m.request_id as "requestId", m.caller_request_id as "callerRequestId", m.payload,
      m.rests_on as "restsOn", m.trace, m.order_key as "orderKey", p.due_at, p.series, p.attempts_made as "attemptsMade",
      p.move_nr as "moveNr",
      sum(octet_length(m.payload)) over (order by p.due_at, p.message_id rows unbounded preceding)
        - octet_length(m.payload) as bytes_before
    from (${pending}) p
    -- One look-up for each: a join would be planned as a read of all that the profile ever sent.
    cross join lateral (
      select request_id, caller_request_id, payload, rests_on, trace, order_key from callback_message
      where ecpd_id = ${ecpdId} and message_id = p.message_id limit 1) m) batch
  where bytes_before < ${BATCH_BYTES_MAX} order by due_at, "messageId"`;

export type Place = Pick<DueMessage, 'dueAt' | 'messageId'>;

export const isNoneOf = (inHand: readonly Place[]) => sql`
  (due_at, message_id) not in (
    select * from unnest(${inHand.map(({ dueAt }) => dueAt)}::timestamptz[], ${inHand.map(({ messageId }) => messageId)}::uuid[]))`;

/** The next due messages of a lane after `after`. */
export const listDueMessages = (
  db: Db,
  lane: Lane,
  { now, after, limit }: { now: Date; after: Place | undefined; limit: number },
) =>
  db.many<DueMessage>(
    withPayloads(
      lane,
      sql`
        select * from callback_pending
        where ecpd_id = ${lane.ecpdId} and account_name = ${lane.accountName} and service_name = ${lane.serviceName}
          and due_at <= ${now}
          and (due_at, message_id) > (${after?.dueAt ?? '-infinity'}::timestamptz, ${after?.messageId ?? NIL_UUID}::uuid)
        order by due_at, message_id limit ${limit}`,
    ),
  );

/** Those at or before `upTo` that are not in hand: they were committed after it. */
export const listLateMessages = (
  db: Db,
  lane: Lane,
  { upTo, inHand, limit }: { upTo: Place; inHand: readonly Place[]; limit: number },
) =>
  db.many<DueMessage>(
    withPayloads(
      lane,
      sql`
        select * from callback_pending
        where ecpd_id = ${lane.ecpdId} and account_name = ${lane.accountName} and service_name = ${lane.serviceName}
          and (due_at, message_id) <= (${upTo.dueAt}::timestamptz, ${upTo.messageId}::uuid)
          and ${isNoneOf(inHand)}
        order by due_at, message_id limit ${limit}`,
    ),
  );

/** Of these messages, the ids of those that were not erased. */
export const listKeptMessages = async (
  db: Db,
  { ecpdId }: Lane,
  messageIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await db.many<{ id: string }>(sql`
    select message_id as id from callback_message where ecpd_id = ${ecpdId} and message_id = any(${messageIds}::uuid[])`);
  return new Set(rows.map(({ id }) => id));
};

/** One attempt that has ended, with what follows from it. */
export interface EndedAttempt {
  readonly lane: LeasedLane;
  readonly message: DueMessage;
  readonly startedAt: Date;
  readonly outcome: SendOutcome;
  /** Undefined when the series has come to its end. */
  readonly nextDueAt: Date | undefined;
}

/** Where no text has anything to say, an empty array says the same: `unnest` fills it up with nulls beside longer ones. */
const textArray = (values: readonly (string | null)[]): readonly (string | null)[] =>
  values.every((value) => value === null || value === '') ? [] : values;

/** How the listener of one lane did in these attempts. */
function tallyOf(ended: readonly EndedAttempt[]) {
  const failed = ended.filter(({ outcome }) => !isAcknowledged(outcome));
  const last = failed.reduce((a, b) => (b.startedAt >= a.startedAt ? b : a), failed[0]!);
  const first = failed.reduce((a, b) => (b.startedAt < a.startedAt ? b : a), failed[0]!);
  return {
    acknowledged: failed.length < ended.length,
    failedFirstAt: first?.startedAt ?? null,
    failedLastAt: last?.startedAt ?? null,
    failure: last === undefined ? null : (last.outcome.error ?? `answered ${last.outcome.status}`),
  };
}

/** Takes no lock: recording is fenced by itself. */
export const isLaneHeld = async (db: Db, lane: LeasedLane): Promise<boolean> =>
  (await db.maybe(sql`
    select from callback_lane where ecpd_id = ${lane.ecpdId} and account_name = ${lane.accountName}
      and service_name = ${lane.serviceName} and lease_token = ${lane.leaseToken}`)) !== undefined;

/**
 * Records attempts of one profile in one statement. Fenced: what was sent on a lane that has passed
 * to another worker is not recorded, and a message whose listener was removed meanwhile is not brought back.
 */
export function recordAttempts(db: Db, ecpdId: string, ended: readonly EndedAttempt[]): Promise<number> {
  const lanes = [...new Set(ended.map(({ lane }) => lane))];
  const numbers = new Map(lanes.map((lane, index) => [lane, index + 1]));
  const byLane = Map.groupBy(ended, ({ lane }) => lane);
  const tallies = lanes.map((lane) => tallyOf(byLane.get(lane)!));
  return db.exec(sql`
    with input as (
      select * from unnest(
        ${plainArray(ended.map((e) => numbers.get(e.lane)!))}::int[], ${plainArray(ended.map((e) => e.message.messageId))}::uuid[],
        ${plainArray(ended.map((e) => e.message.dueAt))}::timestamptz[], ${plainArray(ended.map((e) => e.message.series))}::smallint[],
        ${plainArray(ended.map((e) => e.message.attemptsMade + 1))}::smallint[], ${plainArray(ended.map((e) => e.startedAt.toISOString()))}::timestamptz[],
        ${plainArray(ended.map((e) => e.outcome.status))}::smallint[], ${plainArray(ended.map((e) => Math.round(e.outcome.latencyMs)))}::int[],
        ${textArray(ended.map((e) => e.outcome.error))}::text[], ${textArray(ended.map((e) => e.outcome.answer))}::text[],
        ${plainArray(ended.map((e) => e.nextDueAt?.toISOString() ?? null))}::timestamptz[])
      as e (lane, message_id, due_at, series, attempt, at, status, latency_ms, error, answer, next_due_at)),
    ours as (
      select held.*, k.failing_since
      from unnest(${lanes.map((lane) => lane.accountName)}::text[], ${lanes.map((lane) => lane.serviceName)}::text[],
        ${lanes.map((lane) => lane.leaseToken)}::uuid[], ${tallies.map((t) => t.acknowledged)}::boolean[],
        ${tallies.map((t) => t.failedFirstAt)}::timestamptz[], ${tallies.map((t) => t.failedLastAt)}::timestamptz[],
        ${tallies.map((t) => t.failure)}::text[])
        with ordinality as held (account_name, service_name, token, acknowledged, failed_first_at, failed_last_at, failure, lane)
      join callback_lane k on k.ecpd_id = ${ecpdId} and k.account_name = held.account_name
        and k.service_name = held.service_name and k.lease_token = held.token
      order by k.account_name, k.service_name for share of k),
    owned as (
      select i.*, o.account_name, o.service_name from input i join ours o using (lane)),
    health as (
      -- A lane whose listener answers is not written: only its first failure and what follows, and its recovery.
      update callback_lane k set
        failing_since = case when t.acknowledged then null
          when t.failing_since is null or t.failing_since < l.updated_at then t.failed_first_at
          else t.failing_since end,
        last_failed_at = coalesce(t.failed_last_at, k.last_failed_at),
        last_failure = coalesce(t.failure, k.last_failure)
      from ours t
      join callback_listener l on l.ecpd_id = ${ecpdId} and l.account_name = t.account_name and l.service_name = t.service_name
      where k.ecpd_id = ${ecpdId} and k.account_name = t.account_name and k.service_name = t.service_name
        and (t.failing_since is not null or not t.acknowledged)),
    gone as (
      delete from callback_pending p using owned o
      where p.ecpd_id = ${ecpdId} and p.account_name = o.account_name and p.service_name = o.service_name
        and p.due_at = o.due_at and p.message_id = o.message_id
      returning p.message_id, p.move_nr),
    noted as (
      insert into callback_attempt (ecpd_id, message_id, series, attempt, at, status, latency_ms, error, answer)
      select ${ecpdId}, message_id, series, attempt, at, status, latency_ms, error, coalesce(answer, '') from owned o
      -- What was erased meanwhile waits no more, and is not among the failed as what lost its listener is.
      where message_id in (select message_id from gone) or exists (
        select from callback_failed f where f.ecpd_id = ${ecpdId} and f.message_id = o.message_id)
      on conflict do nothing),
    filed as (
      insert into callback_failed (ecpd_id, message_id, account_name, service_name, created_at)
      select ${ecpdId}, o.message_id, o.account_name, o.service_name, m.created_at
      from owned o join gone using (message_id)
      cross join lateral (
        select created_at from callback_message where ecpd_id = ${ecpdId} and message_id = o.message_id limit 1) m
      where o.next_due_at is null and (o.status is null or o.status not between 200 and 299)
      on conflict do nothing)
    insert into callback_pending (ecpd_id, account_name, service_name, due_at, message_id, series, attempts_made, move_nr)
    select ${ecpdId}, o.account_name, o.service_name, o.next_due_at, o.message_id, o.series, o.attempt, gone.move_nr
    from owned o join gone using (message_id) where o.next_due_at is not null`);
}
