import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type ByLane, type EndedAttempt, hasFailed, heldRows, textArray } from './ended-attempt.ts';
import { isAcknowledged } from './policy.ts';

/** Those of the lanes `held` that are still ours, as `k`. */
const oursOf = (ecpdId: string, byLane: ByLane) => sql`
  ${heldRows(byLane)}
  join callback_lane k on k.ecpd_id = ${ecpdId} and k.account_name = held.account_name
    and k.service_name = held.service_name and k.lease_token = held.token`;

/** Returns their numbers in `byLane`, from 1. No worker can take them over until this transaction ends. */
const lockOurs = (db: Db, ecpdId: string, byLane: ByLane) =>
  db.many<{ lane: number; isFailing: boolean }>(sql`
    select held.lane::int as lane, k.failing_since is not null as "isFailing" from ${oursOf(ecpdId, byLane)}
    order by k.account_name, k.service_name for share of k`);

/** Deletes the messages of our lanes that still waited; `nth` counts from 1. */
const deletePending = (db: Db, ecpdId: string, ended: readonly EndedAttempt[], byLane: ByLane) => {
  const places = new Map([...byLane.keys()].map((lane, index) => [lane, index + 1]));
  return db.many<{ nth: number; moveNr: number }>(sql`
    delete from callback_pending p
    using ${oursOf(ecpdId, byLane)}
    join unnest(${plainArray(ended.map((e) => places.get(e.lane)!))}::int[],
      ${plainArray(ended.map((e) => e.message.messageId))}::uuid[],
      ${plainArray(ended.map((e) => e.message.dueAt))}::timestamptz[]) with ordinality
      as e (lane, message_id, due_at, nth) on e.lane = held.lane
    where p.ecpd_id = ${ecpdId} and p.account_name = k.account_name and p.service_name = k.service_name
      and p.due_at = e.due_at and p.message_id = e.message_id
    returning e.nth::int as nth, p.move_nr as "moveNr"`);
};

const insertAttempts = (db: Db, ecpdId: string, ended: readonly EndedAttempt[], condition = sql`true`) =>
  db.exec(sql`
    insert into callback_attempt (ecpd_id, message_id, series, attempt, at, status, latency_ms, error, answer,
      signed_at, signature_mark, answer_headers)
    select p.ecpd_id, e.message_id, e.series, e.attempt, e.at, e.status, e.latency_ms, e.error, coalesce(e.answer, ''),
      e.signed_at, e.signature_mark, e.answer_headers
    from profile p cross join unnest(
      ${plainArray(ended.map((e) => e.message.messageId))}::uuid[], ${plainArray(ended.map((e) => e.message.series))}::smallint[],
      ${plainArray(ended.map((e) => e.message.attemptsMade + 1))}::smallint[],
      ${plainArray(ended.map((e) => e.startedAt))}::timestamptz[], ${plainArray(ended.map((e) => e.outcome.status))}::smallint[],
      ${plainArray(ended.map((e) => Math.round(e.outcome.latencyMs)))}::int[],
      ${textArray(ended.map((e) => e.outcome.error))}::text[], ${textArray(ended.map((e) => e.outcome.answer))}::text[],
      ${plainArray(ended.map((e) => e.signed?.signedAt ?? null))}::timestamptz[],
      ${plainArray(ended.map((e) => e.signed?.mark ?? null))}::int[],
      ${textArray(ended.map((e) => e.outcome.answerHeaders ?? null))}::text[])
      as e (message_id, series, attempt, at, status, latency_ms, error, answer, signed_at, signature_mark, answer_headers)
    where p.ecpd_id = ${ecpdId} and ${condition} on conflict do nothing`);

/** A message erased in between is not in callback_failed, unlike one that lost its listener. */
const lostListener = (ecpdId: string) => sql`
  exists (select 1 from callback_failed f where f.ecpd_id = ${ecpdId} and f.message_id = e.message_id)`;

const insertFailed = (db: Db, ecpdId: string, ended: readonly EndedAttempt[]) =>
  db.exec(sql`
    insert into callback_failed (ecpd_id, message_id, account_name, service_name, created_at)
    select p.ecpd_id, e.* from profile p cross join unnest(${plainArray(ended.map((e) => e.message.messageId))}::uuid[],
      ${ended.map((e) => e.lane.accountName)}::text[], ${ended.map((e) => e.lane.serviceName)}::text[],
      ${plainArray(ended.map((e) => e.message.createdAt))}::timestamptz[]) as e (message_id, account_name, service_name, created_at)
    where p.ecpd_id = ${ecpdId} on conflict do nothing`);

interface GoneAttempt extends EndedAttempt {
  readonly moveNr: number;
}

const insertAgain = (db: Db, ecpdId: string, ended: readonly GoneAttempt[]) =>
  db.exec(sql`
    insert into callback_pending (ecpd_id, account_name, service_name, due_at, message_id, series, attempts_made, move_nr)
    select p.ecpd_id, e.* from profile p cross join unnest(${ended.map((e) => e.lane.accountName)}::text[],
      ${ended.map((e) => e.lane.serviceName)}::text[], ${plainArray(ended.map((e) => e.nextDueAt!))}::timestamptz[],
      ${plainArray(ended.map((e) => e.message.messageId))}::uuid[], ${plainArray(ended.map((e) => e.message.series))}::smallint[],
      ${plainArray(ended.map((e) => e.message.attemptsMade + 1))}::smallint[], ${plainArray(ended.map((e) => e.moveNr))}::int[])
      as e (account_name, service_name, due_at, message_id, series, attempts_made, move_nr)
    where p.ecpd_id = ${ecpdId}`);

/** Writes failures and the recovery after one: successes of a healthy lane cause no write. */
const updateHealth = (db: Db, ecpdId: string, byLane: ByLane) =>
  db.exec(sql`
    update callback_lane k set
      failing_since = case when held.acknowledged then null
        when k.failing_since is null or k.failing_since < l.updated_at then held.failed_first_at
        else k.failing_since end,
      last_failed_at = coalesce(held.failed_last_at, k.last_failed_at),
      last_failure = coalesce(held.failure, k.last_failure)
    from ${heldRows(byLane)}
    join callback_listener l on l.ecpd_id = ${ecpdId} and l.account_name = held.account_name
      and l.service_name = held.service_name
    where k.ecpd_id = ${ecpdId} and k.account_name = held.account_name and k.service_name = held.service_name
      and k.lease_token = held.token and (k.failing_since is not null or not held.acknowledged)`);

/**
 * As one statement, a cluster would run it part by part and pass the rows of each part through the coordinator. These
 * statements run on the profile's server as a whole. Inserts take the profile from a table: they are then written
 * there alone and committed without a second phase.
 */
export const recordOnCluster = (db: Db, ecpdId: string, ended: readonly EndedAttempt[]): Promise<void> =>
  db.tx(async (tx) => {
    const byLane = Map.groupBy(ended, ({ lane }) => lane);
    const [ours, deleted] = await Promise.all([
      lockOurs(tx, ecpdId, byLane),
      deletePending(tx, ecpdId, ended, byLane),
    ]);
    const lanes = [...byLane.keys()];
    const held = new Set(ours.map(({ lane }) => lanes[lane - 1]!));
    const moveNrs = new Map(deleted.map(({ nth, moveNr }) => [nth - 1, moveNr]));
    const gone = ended.flatMap((each, n) => {
      const moveNr = moveNrs.get(n);
      return moveNr === undefined ? [] : [{ ...each, moveNr }];
    });
    const others = ended.filter((each, n) => held.has(each.lane) && !moveNrs.has(n));
    const failed = gone.filter(hasFailed);
    const again = gone.filter(({ nextDueAt }) => nextDueAt !== undefined);
    const hasNews =
      ours.some(({ isFailing }) => isFailing) || ended.some(({ outcome }) => !isAcknowledged(outcome));
    await Promise.all([
      gone.length > 0 && insertAttempts(tx, ecpdId, gone),
      others.length > 0 && insertAttempts(tx, ecpdId, others, lostListener(ecpdId)),
      hasNews && updateHealth(tx, ecpdId, byLane),
      failed.length > 0 && insertFailed(tx, ecpdId, failed),
      again.length > 0 && insertAgain(tx, ecpdId, again),
    ]);
  });
