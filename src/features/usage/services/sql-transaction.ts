import { addDays, type LocalDay } from '../../../kernel/bill-cycle.ts';
import type { Boundaries } from '../../../kernel/calendar.ts';
import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { type Query, sql, unprepared } from '../../../platform/db/sql.ts';
import { BOUNDARIES } from '../../accounts/index.ts';
import { setLedgerStart } from '../sql-ledger.ts';
import type { MeteredService } from './subscription.ts';

export interface Transaction {
  readonly accountName: string;
  readonly serviceName: MeteredService;
  readonly requestRef: string;
  readonly deviceId: string;
  readonly at: Date;
}

/**
 * Locks the accounts, and those that pay or paid for them, in the order of their names. Until the transaction ends,
 * none is deleted and none moves to another payer.
 */
export const holdPayers = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.exec(sql`
    select 1 from account
    where ecpd_id = ${ecpdId} and (account_name = any(${accountNames}::text[]) or account_name in (
      select paccount_name from managed_period
      where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[])))
    order by account_name for key share`);

/**
 * A monthly counter of an account after it grew, and the numbers of the transactions (from 1) that made it grow. An
 * account has two: uses billed to it, and, where another account paid for one of these, its own uses.
 */
interface CountedMonth extends Boundaries {
  readonly accountName: string;
  readonly serviceName: MeteredService;
  readonly month: string;
  readonly after: bigint;
  readonly nths: readonly number[];
}

/** The account that pays for each `input`: the primary account at the time of the use, however late it is reported. */
const billed = (ecpdId: string): Query => sql`
    billed as (
      select i.*, p.account_name as billed_to, (i.at at time zone a.time_zone)::date as day,
        (i.at at time zone p.time_zone)::date as billed_day
      from input i
      join account a on a.ecpd_id = ${ecpdId} and a.account_name = i.account_name
      left join lateral (
        select paccount_name from managed_period m
        where m.ecpd_id = ${ecpdId} and m.account_name = i.account_name and m.service_name = i.service_name
          and m.from_at <= i.at and m.to_at > i.at
        order by m.from_at desc limit 1) m on true
      join account p on p.ecpd_id = ${ecpdId} and p.account_name = coalesce(m.paccount_name, i.account_name))`;

/** Adds the `added` uses to the sums by day and by account; months are counted separately. */
const sums = (ecpdId: string): Query => sql`
    days as (
      insert into service_day as d (ecpd_id, account_name, service_name, day, transactions)
      select p.ecpd_id, account_name, service_name, day, count(*) from added join profile p on p.ecpd_id = ${ecpdId}
      group by 1, 2, 3, 4 order by 2, 3, 4
      on conflict (ecpd_id, account_name, service_name, day)
      do update set transactions = d.transactions + excluded.transactions),
    billed_days as (
      insert into service_billed_day as d (ecpd_id, billed_to, service_name, day, account_name, transactions)
      select p.ecpd_id, billed_to, service_name, billed_day, account_name, count(*)
      from added join profile p on p.ecpd_id = ${ecpdId} group by 1, 2, 3, 4, 5 order by 2, 3, 4, 5
      on conflict (ecpd_id, billed_to, service_name, day, account_name)
      do update set transactions = d.transactions + excluded.transactions),
    lines as (
      insert into service_month_line as l (ecpd_id, billed_to, service_name, month, account_name, transactions)
      select p.ecpd_id, billed_to, service_name, to_char(billed_day, 'YYYY-MM'), account_name, count(*)
      from added join profile p on p.ecpd_id = ${ecpdId} group by 1, 2, 3, 4, 5 order by 2, 3, 4, 5
      on conflict (ecpd_id, billed_to, service_name, month, account_name)
      do update set transactions = l.transactions + excluded.transactions)`;

/**
 * Inserts and counts new transactions in one statement; a repeated one changes nothing. Rows are locked in the order of
 * their keys, so that concurrent calls cannot deadlock, and the month returned includes what others committed before.
 * It is planned on each call, because it gets one row or thousands.
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
    ${billed(ecpdId)},
    added as (
      insert into service_transaction (ecpd_id, account_name, service_name, request_ref, device_id, at, billed_to, day,
        billed_day)
      select p.ecpd_id, account_name, service_name, request_ref, device_id, at, billed_to, day, billed_day
      from billed join profile p on p.ecpd_id = ${ecpdId} order by 2, 3, 4, 5
      on conflict do nothing
      returning account_name, service_name, request_ref, device_id, billed_to, day, billed_day),
    ${sums(ecpdId)},
    counted as (
      select c.counter, c.month, c.own, x.account_name <> x.billed_to as by_another, x.service_name, i.nth
      from added x
      join input i using (account_name, service_name, request_ref, device_id)
      cross join lateral (values
        (x.billed_to, to_char(x.billed_day, 'YYYY-MM'), 0),
        (x.account_name, to_char(x.day, 'YYYY-MM'), 1)) as c (counter, month, own)),
    months as (
      insert into service_month as m (ecpd_id, account_name, service_name, month, transactions, own_transactions)
      select p.ecpd_id, counter, service_name, month, sum(1 - own), sum(own)
      from counted join profile p on p.ecpd_id = ${ecpdId} group by 1, 2, 3, 4 order by 2, 3, 4
      on conflict (ecpd_id, account_name, service_name, month)
      do update set transactions = m.transactions + excluded.transactions,
        own_transactions = m.own_transactions + excluded.own_transactions
      returning account_name, service_name, month, transactions, own_transactions)
    select m.account_name as "accountName", ${BOUNDARIES}, m.service_name as "serviceName", m.month,
      case c.own when 0 then m.transactions else m.own_transactions end as after, c.nths
    from months m
    join (
      select counter, service_name, month, own, array_agg(nth::int order by nth) as nths
      from counted group by 1, 2, 3, 4 having own = 0 or bool_or(by_another)) c
      on c.counter = m.account_name and c.service_name = m.service_name and c.month = m.month
    join account a on a.ecpd_id = ${ecpdId} and a.account_name = m.account_name
    order by 1, 3, 4, c.own`),
  );

/** Uses of this account that were billed to others stay, so that their statements still add up. */
export const deleteTransactionsOfAccount = async (db: Db, { ecpdId, accountName }: Tenant): Promise<void> => {
  for (const table of [sql`service_transaction`, sql`service_day`, sql`service_month`]) {
    await db.exec(sql`delete from ${table} where ecpd_id = ${ecpdId} and account_name = ${accountName}`);
  }
  for (const table of [sql`service_billed_day`, sql`service_month_line`]) {
    await db.exec(sql`delete from ${table} where ecpd_id = ${ecpdId} and billed_to = ${accountName}`);
  }
  // Other accounts keep the uses that this one paid for; they are on no account's statement.
  await db.exec(sql`
    update service_transaction set billed_to = '' where ecpd_id = ${ecpdId} and billed_to = ${accountName}`);
};

/**
 * Deletes old uses; their sums stay. The read across profiles takes no locks. Each delete is for one profile and first
 * notes from which day on its uses are complete. Returns how many it deleted.
 */
export async function deleteOldTransactions(db: Db, day: LocalDay, limit: number): Promise<number> {
  // A zone is less than a day ahead of UTC: older uses happened before the day in every zone.
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
