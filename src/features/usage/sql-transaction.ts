import type { Tenant } from '../../platform/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';
import type { MeteredService } from './subscription.ts';

export interface Transaction {
  readonly accountName: string;
  readonly serviceName: MeteredService;
  readonly requestRef: string;
  readonly deviceId: string;
  readonly at: Date;
}

/**
 * Writes what is new and counts it, in one statement: a repeated transaction changes nothing. Rows are locked in the
 * order of their keys, so that two who record at once cannot wait for each other in a circle.
 */
export const insertTransactions = (db: Db, ecpdId: string, transactions: readonly Transaction[]) =>
  db.exec(sql`
    with added as (
      insert into service_transaction (ecpd_id, account_name, service_name, request_ref, device_id, at)
      select ${ecpdId}, t.account_name, t.service_name, t.request_ref, t.device_id, t.at
      from unnest(${transactions.map((t) => t.accountName)}::text[], ${transactions.map((t) => t.serviceName)}::text[],
        ${transactions.map((t) => t.requestRef)}::text[], ${plainArray(transactions.map((t) => t.deviceId))}::uuid[],
        ${plainArray(transactions.map((t) => t.at))}::timestamptz[]) as t (account_name, service_name, request_ref, device_id, at)
      order by 1, 2, 3, 4, 5
      on conflict do nothing
      returning account_name, service_name, at)
    insert into service_day as d (ecpd_id, account_name, service_name, day, transactions)
    select ${ecpdId}, x.account_name, x.service_name, (x.at at time zone a.time_zone)::date, count(*)
    from added x join account a on a.ecpd_id = ${ecpdId} and a.account_name = x.account_name
    group by 2, 3, 4 order by 2, 3, 4
    on conflict (ecpd_id, account_name, service_name, day)
    do update set transactions = d.transactions + excluded.transactions`);

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

export const insertClosure = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { serviceName, month, now }: { serviceName: MeteredService; month: string; now: Date },
) =>
  db.exec(sql`
    insert into service_closure (ecpd_id, account_name, service_name, month, closed_at)
    values (${ecpdId}, ${accountName}, ${serviceName}, ${month}, ${now}) on conflict do nothing`);

export const deleteClosure = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { serviceName, month }: { serviceName: MeteredService; month: string },
) =>
  db.exec(sql`
    delete from service_closure
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName} and month = ${month}`);

/** The month is the one that `now` lies in where the account is. */
export const findClosure = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  serviceName: MeteredService,
  now: Date,
) =>
  db.maybe<{ month: string }>(sql`
    select c.month from service_closure c
    join account a on a.ecpd_id = c.ecpd_id and a.account_name = c.account_name
    where c.ecpd_id = ${ecpdId} and c.account_name = ${accountName} and c.service_name = ${serviceName}
      and c.month = to_char(${now}::timestamptz at time zone a.time_zone, 'YYYY-MM')`);

export const deleteTransactionsOfAccount = async (db: Db, { ecpdId, accountName }: Tenant): Promise<void> => {
  for (const table of [sql`service_transaction`, sql`service_day`]) {
    await db.exec(sql`delete from ${table} where ecpd_id = ${ecpdId} and account_name = ${accountName}`);
  }
};

/** Their days stay. The read across profiles takes no locks; each delete names one profile. Answers how many went. */
export async function deleteOldTransactions(db: Db, before: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string }>(sql`
    select distinct ecpd_id as "ecpdId" from (
      select ecpd_id from service_transaction where at < ${before} order by at limit ${limit}) oldest`);
  let deleted = 0;
  for (const { ecpdId } of old) {
    deleted += await db.exec(sql`
      delete from service_transaction where ecpd_id = ${ecpdId} and ctid = any(array(
        select ctid from service_transaction where ecpd_id = ${ecpdId} and at < ${before} order by at limit ${limit}))`);
  }
  return deleted;
}
