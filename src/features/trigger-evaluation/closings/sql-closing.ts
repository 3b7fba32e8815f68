import type { Cycle } from '../../../kernel/bill-cycle.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql, unprepared } from '../../../platform/db/sql.ts';
import { triggerOf } from '../../price-plan-triggers/index.ts';

export interface ClosingKey {
  readonly triggerId: string;
  readonly accountName: string;
  readonly cycle: Cycle;
}

export interface ClosingRow extends ClosingKey {
  readonly opensAt: Date;
  readonly closesAt: Date;
}

/** Deletes closings that are no longer wanted, so that they are not evaluated when due. */
export const deleteUnwanted = (
  db: Db,
  ecpdId: string,
  triggerIds: readonly string[],
  wanted: readonly ClosingKey[],
) =>
  db.exec(
    unprepared(sql`
    delete from price_plan_closing c
    where c.ecpd_id = ${ecpdId} and c.trigger_id = any(${plainArray(triggerIds)}::uuid[]) and c.done_at is null
      and (c.trigger_id, c.account_name, c.cycle) not in (
        select w.trigger_id, w.account_name, w.cycle from unnest(${plainArray(wanted.map((w) => w.triggerId))}::uuid[],
          ${wanted.map((w) => w.accountName)}::text[], ${wanted.map((w) => w.cycle)}::text[])
          as w (trigger_id, account_name, cycle))`),
  );

/** Adds nothing if one is already open, or this one is done. */
export const insertClosings = (db: Db, ecpdId: string, rows: readonly ClosingRow[]) =>
  db.exec(
    unprepared(sql`
    insert into price_plan_closing (ecpd_id, trigger_id, account_name, cycle, opens_at, closes_at)
    select p.ecpd_id, r.* from profile p cross join unnest(${plainArray(rows.map((r) => r.triggerId))}::uuid[],
      ${rows.map((r) => r.accountName)}::text[], ${rows.map((r) => r.cycle)}::text[],
      ${plainArray(rows.map((r) => r.opensAt))}::timestamptz[],
      ${plainArray(rows.map((r) => r.closesAt))}::timestamptz[]) r
    where p.ecpd_id = ${ecpdId}
    order by 2, 3, 4
    on conflict do nothing`),
  );

export interface DueClosing extends ClosingKey {
  readonly opensAt: Date;
}

/** Only those of the earliest due time, oldest trigger first: their successors may be due before the others. */
export const listDue = (db: Db, ecpdId: string, now: Date, limit: number) =>
  db.many<DueClosing>(sql`
    select c.trigger_id as "triggerId", c.account_name as "accountName", c.cycle, c.opens_at as "opensAt"
    from price_plan_closing c join ${triggerOf(ecpdId, sql`c.trigger_id`)}
    where c.ecpd_id = ${ecpdId} and c.done_at is null and c.closes_at = (
      select min(o.closes_at) from price_plan_closing o
      where o.ecpd_id = ${ecpdId} and o.done_at is null and o.closes_at <= ${now})
    order by t.created_at, c.trigger_id, c.account_name, c.cycle limit ${limit}`);

const isRow = (ecpdId: string, { triggerId, accountName, cycle, opensAt }: DueClosing) => sql`
  ecpd_id = ${ecpdId} and trigger_id = ${triggerId} and account_name = ${accountName} and cycle = ${cycle}
  and opens_at = ${opensAt}`;

/** Returns undefined if another worker has done it. */
export const lockClosing = (db: Db, ecpdId: string, due: DueClosing) =>
  db.maybe<{ checkedTo: string | null }>(sql`
    select judged_to as "checkedTo" from price_plan_closing
    where ${isRow(ecpdId, due)} and done_at is null for no key update`);

export const postponeClosing = (db: Db, ecpdId: string, due: DueClosing, closesAt: Date) =>
  db.exec(sql`update price_plan_closing set closes_at = ${closesAt} where ${isRow(ecpdId, due)}`);

export const saveProgress = (db: Db, ecpdId: string, due: DueClosing, checkedTo: string) =>
  db.exec(sql`update price_plan_closing set judged_to = ${checkedTo} where ${isRow(ecpdId, due)}`);

export const finishClosing = (db: Db, ecpdId: string, due: DueClosing, doneAt: Date) =>
  db.exec(sql`
    update price_plan_closing set done_at = ${doneAt}, judged_to = null where ${isRow(ecpdId, due)}`);

const PROFILES_MAX = 100_000;

/** Reads across profiles take no locks. */
export const listProfilesWithDue = (db: Db, now: Date): Promise<string[]> =>
  db.values<string>(sql`
    select distinct ecpd_id as "ecpdId" from price_plan_closing
    where done_at is null and closes_at <= ${now} order by 1 limit ${PROFILES_MAX}`);

/** Returns how many it deleted. Each delete is for one profile. */
export async function deleteDone(db: Db, before: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; last: Date }>(sql`
    select ecpd_id as "ecpdId", max(done_at) as last from (
      select ecpd_id, done_at from price_plan_closing where done_at < ${before} order by done_at limit ${limit}) oldest
    group by ecpd_id order by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, last } of old)
    deleted += await db.exec(
      sql`delete from price_plan_closing where ecpd_id = ${ecpdId} and done_at <= ${last} and done_at < ${before}`,
    );
  return deleted;
}
