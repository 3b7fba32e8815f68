import { NIL_UUID } from '../../../kernel/uuid.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { type Query, sql } from '../../../platform/db/sql.ts';
import { type ByLane, type EndedAttempt, hasFailed, heldRows, textArray } from './ended-attempt.ts';
import type { DueMessage, Lane } from './lane.ts';
import { isAcknowledged } from './policy.ts';
import { recordOnCluster } from './sql-record-on-cluster.ts';

const BATCH_BYTES_MAX = 4 * 1024 * 1024;

/** Messages of a lane with what is sent, as many as fit into a few megabytes. */
const listMessages = (db: Db, { ecpdId, accountName, serviceName }: Lane, condition: Query, limit: number) =>
  db.many<DueMessage>(sql`
  select "messageId", "requestId", "callerRequestId", payload, "restsOn", trace, "orderKey", "createdAt", due_at::text as "dueAt", series, "attemptsMade", "moveNr" from (
    select p.message_id as "messageId", m.request_id as "requestId", m.caller_request_id as "callerRequestId", m.payload,
      m.rests_on as "restsOn", m.trace, m.order_key as "orderKey", m.created_at as "createdAt", p.due_at, p.series, p.attempts_made as "attemptsMade",
      p.move_nr as "moveNr",
      sum(octet_length(m.payload)) over (order by p.due_at, p.message_id rows unbounded preceding)
        - octet_length(m.payload) as bytes_before
    from (
      select * from callback_pending
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName} and ${condition}
      order by due_at, message_id limit ${limit}) p
    -- One look-up for each: a join would be planned as a read of all that the profile ever sent.
    cross join lateral (
      select request_id, caller_request_id, payload, rests_on, trace, order_key, created_at from callback_message
      where ecpd_id = ${ecpdId} and message_id = p.message_id limit 1) m) batch
  where bytes_before < ${BATCH_BYTES_MAX} order by due_at, "messageId"`);

type Place = Pick<DueMessage, 'dueAt' | 'messageId'>;

const isNoneOf = (inHand: readonly Place[]) => sql`
  (due_at, message_id) not in (
    select * from unnest(${inHand.map(({ dueAt }) => dueAt)}::timestamptz[], ${inHand.map(({ messageId }) => messageId)}::uuid[]))`;

/** The next due messages of a lane after `after`. */
export const listDueMessages = (
  db: Db,
  lane: Lane,
  { now, after, limit }: { now: Date; after: Place | undefined; limit: number },
) =>
  listMessages(
    db,
    lane,
    sql`due_at <= ${now}
      and (due_at, message_id) > (${after?.dueAt ?? '-infinity'}::timestamptz, ${after?.messageId ?? NIL_UUID}::uuid)`,
    limit,
  );

/** Those at or before `upTo` that are not in hand: they were committed after it. */
export const listLateMessages = (
  db: Db,
  lane: Lane,
  { upTo, inHand, limit }: { upTo: Place; inHand: readonly Place[]; limit: number },
) =>
  listMessages(
    db,
    lane,
    sql`(due_at, message_id) <= (${upTo.dueAt}::timestamptz, ${upTo.messageId}::uuid) and ${isNoneOf(inHand)}`,
    limit,
  );

/** Those that a move of the clock waits for, that are due and not in hand. */
export const listDueOfMove = (
  db: Db,
  lane: Lane,
  { nr, now, inHand, limit }: { nr: number; now: Date; inHand: readonly Place[]; limit: number },
) => listMessages(db, lane, sql`due_at <= ${now} and move_nr <= ${nr} and ${isNoneOf(inHand)}`, limit);

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

/** Attempts name their lane by its place among the lanes, from 1. */
const endedRows = (ended: readonly EndedAttempt[], byLane: ByLane) => {
  const places = new Map([...byLane.keys()].map((lane, index) => [lane, index + 1]));
  return sql`unnest(
        ${plainArray(ended.map((e) => places.get(e.lane)!))}::int[], ${plainArray(ended.map((e) => e.message.messageId))}::uuid[],
        ${plainArray(ended.map((e) => e.message.dueAt))}::timestamptz[], ${plainArray(ended.map((e) => e.message.series))}::smallint[],
        ${plainArray(ended.map((e) => e.message.attemptsMade + 1))}::smallint[], ${plainArray(ended.map((e) => e.startedAt.toISOString()))}::timestamptz[],
        ${plainArray(ended.map((e) => e.outcome.status))}::smallint[], ${plainArray(ended.map((e) => Math.round(e.outcome.latencyMs)))}::int[],
        ${textArray(ended.map((e) => e.outcome.error))}::text[], ${textArray(ended.map((e) => e.outcome.answer))}::text[],
        ${plainArray(ended.map((e) => e.signed?.signedAt.toISOString() ?? null))}::timestamptz[],
        ${plainArray(ended.map((e) => e.signed?.mark ?? null))}::int[], ${textArray(ended.map((e) => e.outcome.answerHeaders ?? null))}::text[],
        ${plainArray(ended.map((e) => e.nextDueAt?.toISOString() ?? null))}::timestamptz[],
        ${plainArray(ended.map((e) => (hasFailed(e) ? e.message.createdAt.toISOString() : null)))}::timestamptz[])
      as e (lane, message_id, due_at, series, attempt, at, status, latency_ms, error, answer,
        signed_at, signature_mark, answer_headers, next_due_at, failed_from)`;
};

/** What follows from attempts that were not acknowledged: the next one, or the end of the series. */
const afterFailures = (ecpdId: string) => sql`,
    filed as (
      insert into callback_failed (ecpd_id, message_id, account_name, service_name, created_at)
      select p.ecpd_id, o.message_id, o.account_name, o.service_name, o.failed_from
      from profile p join owned o on p.ecpd_id = ${ecpdId} join gone using (message_id)
      where o.failed_from is not null on conflict do nothing),
    again as (
      insert into callback_pending (ecpd_id, account_name, service_name, due_at, message_id, series, attempts_made, move_nr)
      select p.ecpd_id, o.account_name, o.service_name, o.next_due_at, o.message_id, o.series, o.attempt, gone.move_nr
      from profile p join owned o on p.ecpd_id = ${ecpdId} join gone using (message_id)
      where o.next_due_at is not null)`;

/**
 * Records attempts of one profile. Fenced: what was sent on a lane that has passed to another worker is not recorded, and a
 * message whose listener was removed meanwhile is not brought back.
 */
export const recordAttempts = (db: Db, ecpdId: string, ended: readonly EndedAttempt[]): Promise<void> =>
  (db.sharded ? recordOnCluster : recordOnOneServer)(db, ecpdId, ended);

async function recordOnOneServer(db: Db, ecpdId: string, ended: readonly EndedAttempt[]): Promise<void> {
  const byLane = Map.groupBy(ended, ({ lane }) => lane);
  await db.exec(sql`
    with input as (
      select * from ${endedRows(ended, byLane)}),
    ours as (
      select * from (
        select held.*, k.failing_since
        from ${heldRows(byLane)}
        join callback_lane k on k.ecpd_id = ${ecpdId} and k.account_name = held.account_name
          and k.service_name = held.service_name and k.lease_token = held.token
        order by k.account_name, k.service_name for share of k) locked),
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
      insert into callback_attempt (ecpd_id, message_id, series, attempt, at, status, latency_ms, error, answer,
        signed_at, signature_mark, answer_headers)
      select p.ecpd_id, o.message_id, o.series, o.attempt, o.at, o.status, o.latency_ms, o.error, coalesce(o.answer, ''),
        o.signed_at, o.signature_mark, o.answer_headers
      from profile p join owned o on p.ecpd_id = ${ecpdId}
      -- What was erased meanwhile waits no more, and is not among the failed as what lost its listener is.
      where o.message_id in (select message_id from gone) or exists (
        select 1 from callback_failed f where f.ecpd_id = ${ecpdId} and f.message_id = o.message_id)
      on conflict do nothing)
    ${ended.some(({ outcome }) => !isAcknowledged(outcome)) ? afterFailures(ecpdId) : sql``}
    select 1`);
}
