import type { LocalDay } from '../../kernel/bill-cycle.ts';
import { FIRST_PIECE } from '../../kernel/calendar.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import { dateOfColumn } from './sql-cycle.ts';

/**
 * Whether the rows include a day before this one. It queries their first day, which an index answers; a query for any
 * such day could be planned as a scan of all of them, and old records are many. A cluster keeps the other form, because
 * this one was not tried there.
 */
const isAnyBefore = (db: Db, rows: Query, day: LocalDay): Query =>
  db.sharded ? sql`exists (select 1 ${rows} and day < ${day})` : sql`(select min(day) ${rows}) < ${day}`;

/** Profiles that have records of days before this one. */
export const listProfilesWithUsageBefore = (db: Db, day: LocalDay, limit: number): Promise<string[]> =>
  db.values<string>(sql`
    select p.ecpd_id as "ecpdId" from profile p
    where ${isAnyBefore(db, sql`from usage_record_id i where i.ecpd_id = p.ecpd_id`, day)}
    order by p.ecpd_id limit ${limit}`);

/** Accounts of a profile that have rows of days before this one in a table, ordered by name. */
export const listAccountsWithRowsBefore = (
  db: Db,
  table: Query,
  ecpdId: string,
  day: LocalDay,
  page: { readonly after: string; readonly limit: number },
) =>
  db.many<Tenant>(sql`
    select a.ecpd_id as "ecpdId", a.account_name as "accountName" from account a
    where a.ecpd_id = ${ecpdId} and a.account_name > ${page.after} and ${isAnyBefore(
      db,
      sql`from ${table} r where r.ecpd_id = ${ecpdId} and r.account_name = a.account_name`,
      day,
    )}
    order by a.account_name limit ${page.limit}`);

/** It never moves back: deleted days stay incomplete even if records are kept for longer now. */
export const setLedgerStart = (db: Db, ecpdId: string, startsOn: LocalDay) =>
  db.exec(sql`
    insert into usage_ledger_start as s (ecpd_id, starts_on) values (${ecpdId}, ${startsOn})
    on conflict (ecpd_id) do update set starts_on = excluded.starts_on where s.starts_on < excluded.starts_on`);

/** Deletes from one table of the ledger: up to `limit` rows, and the rest of the last row's device and day. */
export async function deleteUsageBefore(
  db: Db,
  table: Query,
  { ecpdId, accountName }: Tenant,
  day: LocalDay,
  limit: number,
): Promise<number> {
  const old = sql`from ${table} where ecpd_id = ${ecpdId} and account_name = ${accountName} and day < ${day}`;
  const last = await db.maybe<{ day: LocalDay; deviceId: string }>(sql`
    select day, device_id as "deviceId" ${old} order by day, device_id offset ${limit - 1} limit 1`);
  return db.exec(
    last === undefined
      ? sql`delete ${old}`
      : sql`delete ${old} and (day, device_id) <= (${last.day}::date, ${last.deviceId}::uuid)`,
  );
}

/**
 * After this the ids may be used again. Rows are deleted by their position in the table: finding each by id would jump
 * around an index that grows with the ledger. A cluster has no row positions.
 */
export function deleteIdsBefore(db: Db, ecpdId: string, day: LocalDay, limit: number): Promise<number> {
  const old = (what: Query) => sql`
    select ${what} from usage_record_id where ecpd_id = ${ecpdId} and day < ${day} order by day limit ${limit}`;
  return db.exec(sql`
    delete from usage_record_id where ecpd_id = ${ecpdId}
      and ${db.sharded ? sql`record_id in (${old(sql`record_id`)})` : sql`ctid = any(array(${old(sql`ctid`)}))`}`);
}

/** Deletes the records, moves and ids of pieces whose dates are before the day. A change of zone leaves a few hours of them. */
export async function deletePiecesBefore(db: Db, ecpdId: string, day: LocalDay): Promise<void> {
  for (const table of [sql`usage_moved_record`, sql`usage_record_rest`, sql`usage_record_id`])
    await db.exec(sql`
      delete from ${table}
      where ecpd_id = ${ecpdId} and day >= ${FIRST_PIECE} and ${dateOfColumn('day')} < ${day}::date`);
}

/** Deletes the moves of records of these days; the records themselves are deleted afterwards. */
export const deleteMovedBefore = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  day: LocalDay,
  limit: number,
): Promise<number> =>
  db.exec(sql`
    delete from usage_moved_record where ecpd_id = ${ecpdId} and (record_id, batch_no) in (
      select record_id, batch_no from usage_moved_record
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and day < ${day} order by day limit ${limit})`);

/**
 * Deletes the order of deleted records, and moves of lines; returns the number of batches. Its read across profiles
 * takes no locks.
 */
export async function deleteOldBatches(db: Db, before: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string }>(sql`
    select p.ecpd_id as "ecpdId" from profile p
    where exists (select 1 from usage_batch b where b.ecpd_id = p.ecpd_id and b.taken_at < ${before})
    order by p.ecpd_id limit ${limit}`);
  let deleted = 0;
  for (const { ecpdId } of old) {
    // There are few moves, and each has the number of a batch that is deleted with it.
    await db.exec(sql`delete from usage_move where ecpd_id = ${ecpdId} and moved_at < ${before}`);
    deleted += await db.exec(sql`
      delete from usage_batch where ecpd_id = ${ecpdId} and batch_no in (
        select batch_no from usage_batch
        where ecpd_id = ${ecpdId} and taken_at < ${before} order by taken_at limit ${limit})`);
  }
  return deleted;
}

/** Deletes the next records of an account, and their ids. Returns how many. */
export const deleteRecordsOfAccount = (db: Db, { ecpdId, accountName }: Tenant, limit: number) =>
  db.exec(sql`
    with page as materialized (
      select day, device_id, batch_no, nth, record_id from usage_record
      where ecpd_id = ${ecpdId} and account_name = ${accountName}
      order by day, device_id, batch_no, nth limit ${limit}),
    ids as (
      delete from usage_record_id where ecpd_id = ${ecpdId} and record_id in (select record_id from page))
    delete from usage_record r using page p
    where r.ecpd_id = ${ecpdId} and r.account_name = ${accountName} and r.day = p.day and r.device_id = p.device_id
      and r.batch_no = p.batch_no and r.nth = p.nth`);

/** Its records were deleted before. */
export const deleteUsageOfAccount = async (db: Db, { ecpdId, accountName }: Tenant): Promise<void> => {
  for (const table of [
    sql`usage_device_month`,
    sql`usage_account_day`,
    sql`usage_bill_day`,
    sql`usage_move`,
    sql`usage_moved_record`,
  ]) {
    await db.exec(sql`delete from ${table} where ecpd_id = ${ecpdId} and account_name = ${accountName}`);
  }
};
