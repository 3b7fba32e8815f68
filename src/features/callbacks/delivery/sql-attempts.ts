import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type ByLane, type EndedAttempt, hasFailed, heldRows, textArray } from './ended-attempt.ts';
import { isAcknowledged } from './policy.ts';
import { recordOnCluster } from './sql-record-on-cluster.ts';

/** Attempts refer to their lane by its number, from 1. */
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

/** Consequences of attempts that were not acknowledged: the next attempt, or the end of the series. */
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
 * Records attempts of one profile. Fenced: attempts on a lane that has passed to another worker are not recorded, and
 * a message whose listener was removed in between is not restored.
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
      -- A message erased in between waits no more. It is not in callback_failed, unlike a message that lost its listener.
      where o.message_id in (select message_id from gone) or exists (
        select 1 from callback_failed f where f.ecpd_id = ${ecpdId} and f.message_id = o.message_id)
      on conflict do nothing)
    ${ended.some(({ outcome }) => !isAcknowledged(outcome)) ? afterFailures(ecpdId) : sql``}
    select 1`);
}
