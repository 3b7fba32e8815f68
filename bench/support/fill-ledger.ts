import { addMonth, nextMonth } from '../../src/features/usage/sql-months.ts';
import type { Database } from '../../src/platform/db/db.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { benchDevice, PLAN } from './usage-fleet.ts';

/** The measured account; its part of the ledger stays the same while the rest grows. */
export const { ecpdId, accountName } = benchDevice(0);

export async function makeMonths(db: Database, from: string, to: string): Promise<void> {
  for (let day = from; day < to; day = nextMonth(day)) await addMonth(db, day);
}

interface Days {
  readonly from: string;
  readonly count: number;
}

async function fillDay(db: Database, from: string, nth: number, isOfOthers: boolean): Promise<number> {
  const day = sql`(${from}::date + ${nth}::int)`;
  const devices = sql`
    select *, row_number() over () as n from device
    where not (${isOfOthers} and ecpd_id = ${ecpdId} and account_name = ${accountName})`;
  const records = await db.exec(sql`
    insert into usage_record
    select ecpd_id, md5(device_id::text || ${day}), account_name, device_id, ${day} + interval '12 hours', ${day}, 1000 + n % 5000,
      'iot.apn', '100', 'USA', 0.12, null, ${PLAN}, false, ${day} + interval '13 hours', ${nth}::bigint * 1000 + n / 30000, n % 30000
    from (${devices}) d`);
  await db.exec(sql`
    insert into usage_record_id
    select ecpd_id, md5(device_id::text || ${day}), ${day}, ${nth}::bigint * 1000 + n / 30000 from (${devices}) d`);
  return records;
}

/** Inserts a record for each device and day directly into the tables, as the feed would. Returns the number of records. */
export async function fillDays(db: Database, { from, count }: Days, isOfOthers: boolean): Promise<number> {
  let [records, next] = [0, 0];
  const fillNext = async () => {
    while (next < count) {
      const filled = await fillDay(db, from, next++, isOfOthers);
      records += filled;
    }
  };
  await Promise.all([fillNext(), fillNext()]);
  return records;
}

/**
 * Inserts many days for all accounts except the measured one. Creates the indexes of ids, which span the whole table, afterwards,
 * with as much free space as an index that grew.
 */
export async function fillOlderDays(db: Database, days: Days): Promise<number> {
  await db.exec(sql`alter table usage_record_id drop constraint usage_record_id_pkey`);
  await db.exec(sql`drop index usage_record_id_day`);
  const records = await fillDays(db, days, true);
  await db.tx(async (tx) => {
    await tx.exec(sql`set local maintenance_work_mem = '2GB'`);
    await tx.exec(
      sql`alter table usage_record_id add constraint usage_record_id_pkey primary key (ecpd_id, record_id) with (fillfactor = 70)`,
    );
    await tx.exec(
      sql`create index usage_record_id_day on usage_record_id (ecpd_id, day) with (fillfactor = 70)`,
    );
  });
  return records;
}

/** The counters that the feed would have written for the measured account. */
export async function countOwn(db: Database): Promise<void> {
  await db.exec(sql`
    insert into usage_bill_day
    select ecpd_id, account_name, day, plan_code, apn, rating_group, country_code, delayed, sum(bytes), sum(bytes), sum(charge_amount)
    from usage_record where ecpd_id = ${ecpdId} and account_name = ${accountName} group by 1, 2, 3, 4, 5, 6, 7, 8`);
  await db.exec(sql`
    insert into usage_account_day
    select ecpd_id, account_name, day, plan_code, sum(bytes) from usage_record
    where ecpd_id = ${ecpdId} and account_name = ${accountName} group by 1, 2, 3, 4`);
}
