import { addDays, type LocalDay } from '../../../kernel/bill-cycle.ts';
import type { Tenant } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql, unprepared } from '../../../platform/db/sql.ts';
import { setLedgerStart } from '../sql-ledger.ts';
import type { MeteredService } from './subscription.ts';

export interface Transaction {
  readonly accountName: string;
  readonly serviceName: MeteredService;
  readonly requestRef: string;
  readonly deviceId: string;
  readonly at: Date;
}

/** The accounts and those that pay for them, which then exist until the transaction ends; in the order of their names. */
export const holdPayers = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.exec(sql`
    select from account
    where ecpd_id = ${ecpdId} and (account_name = any(${accountNames}::text[]) or account_name in (
      select paccount_name from managed_account
      where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[]) and state = 'provisioned'))
    order by account_name for key share`);

/** The counter of an account for a month after it grew, and which of the transactions, from 1, made it grow. */
export interface CountedMonth {
  readonly accountName: string;
  readonly timeZone: string;
  readonly serviceName: MeteredService;
  readonly month: string;
  readonly after: bigint;
  readonly nths: readonly number[];
}

/**
 * Writes what is new and counts it, in one statement: a repeated transaction changes nothing. Rows are locked in the
 * order of their keys, so that two who record at once cannot wait for each other in a circle; the account's month comes
 * out as it is with what others have committed meanwhile. Planned anew: it is fed one row, or thousands.
 */
export const insertTransactions = (db: Db, ecpdId: string, transactions: readonly Transaction[]) =>
  db.many<CountedMonth>(
    unprepared(sql`
    with input as materialized (
      select distinct on (account_name, service_name, request_ref, device_id) * from unnest(
        ${transactions.map((t) => t.accountName)}::text[], ${transactions.map((t) => t.serviceName)}::text[],
        ${transactions.map((t) => t.requestRef)}::text[], ${plainArray(transactions.map((t) => t.deviceId))}::uuid[],
        ${plainArray(transactions.map((t) => t.at))}::timestamptz[]) with ordinality
        as t (account_name, service_name, request_ref, device_id, at, nth)
      order by account_name, service_name, request_ref, device_id, nth),
    billed as (
      select i.*, p.account_name as billed_to, (i.at at time zone a.time_zone)::date as day,
        to_char(i.at at time zone p.time_zone, 'YYYY-MM') as billed_month
      from input i
      join account a on a.ecpd_id = ${ecpdId} and a.account_name = i.account_name
      left join managed_account m on m.ecpd_id = ${ecpdId} and m.account_name = i.account_name
        and m.service_name = i.service_name and m.state = 'provisioned'
      join account p on p.ecpd_id = ${ecpdId} and p.account_name = coalesce(m.paccount_name, i.account_name)),
    added as (
      insert into service_transaction (ecpd_id, account_name, service_name, request_ref, device_id, at, billed_to, day,
        billed_month)
      select ${ecpdId}, account_name, service_name, request_ref, device_id, at, billed_to, day, billed_month
      from billed order by 2, 3, 4, 5
      on conflict do nothing
      returning account_name, service_name, request_ref, device_id, billed_to, day, billed_month),
    days as (
      insert into service_day as d (ecpd_id, account_name, service_name, day, transactions)
      select ${ecpdId}, account_name, service_name, day, count(*) from added group by 2, 3, 4 order by 2, 3, 4
      on conflict (ecpd_id, account_name, service_name, day)
      do update set transactions = d.transactions + excluded.transactions),
    counted as (
      select c.counter, c.month, x.service_name, i.nth
      from added x
      join input i using (account_name, service_name, request_ref, device_id)
      cross join lateral (
        select x.account_name as counter, to_char(x.day, 'YYYY-MM') as month
        union
        select x.billed_to, x.billed_month) c),
    lines as (
      insert into service_month_line as l (ecpd_id, billed_to, service_name, month, account_name, transactions)
      select ${ecpdId}, billed_to, service_name, billed_month, account_name, count(*)
      from added group by 2, 3, 4, 5 order by 2, 3, 4, 5
      on conflict (ecpd_id, billed_to, service_name, month, account_name)
      do update set transactions = l.transactions + excluded.transactions),
    months as (
      insert into service_month as m (ecpd_id, account_name, service_name, month, transactions)
      select ${ecpdId}, counter, service_name, month, count(*) from counted group by 2, 3, 4 order by 2, 3, 4
      on conflict (ecpd_id, account_name, service_name, month)
      do update set transactions = m.transactions + excluded.transactions
      returning account_name, service_name, month, transactions)
    select m.account_name as "accountName", a.time_zone as "timeZone", m.service_name as "serviceName", m.month,
      m.transactions as after, c.nths
    from months m
    join (select counter, service_name, month, array_agg(nth::int order by nth) as nths from counted group by 1, 2, 3) c
      on c.counter = m.account_name and c.service_name = m.service_name and c.month = m.month
    join account a on a.ecpd_id = ${ecpdId} and a.account_name = m.account_name
    order by 1, 3, 4`),
  );

export interface DayRange {
  /** Both days are in it. */
  readonly from: string;
  readonly to: string;
}

/** Accounts of one profile without a transaction in the range are answered with 0. */
export const countTransactions = (
  db: Db,
  ecpdId: string,
  accountNames: readonly string[],
  serviceName: MeteredService,
  { from, to }: DayRange,
) =>
  db.many<{ accountName: string; count: bigint }>(sql`
    select a.account_name as "accountName", coalesce(sum(d.transactions), 0)::bigint as count
    from unnest(${accountNames}::text[]) with ordinality as a (account_name, nth)
    left join service_day d on d.ecpd_id = ${ecpdId} and d.account_name = a.account_name
      and d.service_name = ${serviceName} and d.day between ${from}::date and ${to}::date
    group by a.account_name, a.nth order by a.nth`);

/** What others were billed for its uses stays with them: their statements add up. */
export const deleteTransactionsOfAccount = async (db: Db, { ecpdId, accountName }: Tenant): Promise<void> => {
  for (const table of [sql`service_transaction`, sql`service_day`, sql`service_month`]) {
    await db.exec(sql`delete from ${table} where ecpd_id = ${ecpdId} and account_name = ${accountName}`);
  }
  await db.exec(sql`delete from service_month_line where ecpd_id = ${ecpdId} and billed_to = ${accountName}`);
  // Uses of others that it paid for stay theirs, and are on nobody's statement.
  await db.exec(sql`
    update service_transaction set billed_to = '' where ecpd_id = ${ecpdId} and billed_to = ${accountName}`);
};

/**
 * Their sums stay. The read across profiles takes no locks; each delete names one profile, and says first from which day on
 * its uses are whole. Answers how many went.
 */
export async function deleteOldTransactions(db: Db, day: LocalDay, limit: number): Promise<number> {
  // A zone is less than a day ahead of UTC: what is older than this happened before the day everywhere.
  const before = new Date(`${addDays(day, -1)}T00:00:00Z`);
  const old = await db.many<{ ecpdId: string }>(sql`
    select distinct ecpd_id as "ecpdId" from (
      select ecpd_id from service_transaction where at < ${before} order by at limit ${limit}) oldest`);
  let deleted = 0;
  for (const { ecpdId } of old) {
    await setLedgerStart(db, ecpdId, day);
    deleted += await db.exec(sql`
      delete from service_transaction where ecpd_id = ${ecpdId} and ctid = any(array(
        select ctid from service_transaction where ecpd_id = ${ecpdId} and at < ${before} order by at limit ${limit}))`);
  }
  return deleted;
}
