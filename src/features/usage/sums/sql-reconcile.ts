import type { LocalDay } from '../../../kernel/bill-cycle.ts';
import { FIRST_PIECE } from '../../../kernel/calendar.ts';
import { NIL_UUID } from '../../../kernel/uuid.ts';
import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql, unprepared } from '../../../platform/db/sql.ts';
import { dateOfColumn } from '../sql-cycle.ts';

/** Days of counters; pieces belong to the last ones. */
interface ComparedDays {
  readonly from: LocalDay;
  readonly to: LocalDay;
  /** No date is earlier. */
  readonly startsOn: LocalDay;
}

/** A counter that differs from the sum of the ledger. */
export interface Difference {
  /** Null: the account's own counter. */
  readonly deviceId: string | null;
  /** Empty: not known. */
  readonly planCode: string;
  readonly day: LocalDay;
  readonly countedBytes: string;
  readonly ledgerBytes: string;
  /** Set for a counter of a metered service, which counts uses instead of bytes. */
  readonly service?: {
    readonly serviceName: string;
    /**
     * `day` and `own` (a month) count the account's own uses, whoever pays. `billedDay`, `line` (a month) and `month`
     * count what is billed to it, the first two by the account that used it. The `day` of a month is its first.
     */
    readonly counter: 'day' | 'own' | 'billedDay' | 'line' | 'month';
    readonly usedBy: string;
    readonly counted: string;
    readonly recorded: string;
  };
  /** Set for a counter that bills are made of. */
  readonly bill?: {
    readonly apn: string;
    readonly ratingGroup: string;
    readonly countryCode: string;
    readonly delayed: boolean;
    readonly countedChargedBytes: string;
    readonly ledgerChargedBytes: string;
    readonly countedAmount: string;
    readonly ledgerAmount: string;
  };
}

export interface Compared {
  /** How many counter days were compared. */
  readonly checked: number;
  readonly differences: Difference[];
}

/** The dates that can differ: all days of the ledger and the counters for which the ledger is complete. */
export const findUsageDays = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.one<{ from: LocalDay | null; to: LocalDay | null }>(sql`
    select greatest(min(day), (select starts_on from usage_ledger_start where ecpd_id = ${ecpdId})) as from,
      max(day) + 1 as to
    from (
      (select day from usage_record where ecpd_id = ${ecpdId} and account_name = ${accountName} order by day limit 1)
      union all
      (select day from usage_record where ecpd_id = ${ecpdId} and account_name = ${accountName} order by day desc limit 1)
      union all
      (select day from usage_bill_day where ecpd_id = ${ecpdId} and account_name = ${accountName} order by day limit 1)
      union all
      (select day from usage_bill_day where ecpd_id = ${ecpdId} and account_name = ${accountName} order by day desc limit 1)
      union all
      (select day from usage_account_day where ecpd_id = ${ecpdId} and account_name = ${accountName})) days
    where day < ${FIRST_PIECE}`);

/** Sorts before every device. It stands for the account itself, because null is not equal to null. */
const NO_DEVICE = NIL_UUID;
const LAST_DEVICE = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const isCompared = ({ from, to, startsOn }: ComparedDays) =>
  sql`day >= ${from} and day < ${to} and ${dateOfColumn('day')} >= ${startsOn}`;

const COMPARED = sql`
  select count(*)::int as checked, coalesce(json_agg(json_build_object('deviceId', nullif(device_id, ${NO_DEVICE}::uuid),
      'planCode', plan_code, 'day', day, 'countedBytes', counted::text, 'ledgerBytes', recorded::text)
    order by device_id, day, plan_code) filter (where counted <> recorded), '[]') as differences
  from (select device_id, plan_code, day, coalesce(c.bytes, 0) as counted, coalesce(l.bytes, 0) as recorded
        from counted c full join ledger l using (device_id, plan_code, day)) sides`;

/** One statement reads one snapshot, so a running feed causes no difference. */
export const compareAccountDays = (db: Db, { ecpdId, accountName }: Tenant, days: ComparedDays) =>
  db.one<Compared>(
    unprepared(sql`
    with counted as (
      select ${NO_DEVICE}::uuid as device_id, plan_code, day, bytes from usage_account_day
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and ${isCompared(days)}),
    ledger as (
      select ${NO_DEVICE}::uuid as device_id, coalesce(plan_code, '') as plan_code, day, sum(bytes)::bigint as bytes
      from usage_record
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and ${isCompared(days)}
        and service_name is null
      group by 2, 3)
    ${COMPARED}`),
  );

/** The last of the next `count` devices that have a counter, or the highest possible id if there are fewer. */
export const findLastOfPage = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  after: string | undefined,
  count: number,
): Promise<{ readonly deviceId: string; readonly isLast: boolean }> => {
  const found = await db.maybe<{ deviceId: string }>(sql`
    select device_id as "deviceId" from (
      select distinct device_id from usage_device_month
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id > ${after ?? NO_DEVICE}
      order by device_id limit ${count}) page
    order by device_id offset ${count - 1}`);
  return { deviceId: found?.deviceId ?? LAST_DEVICE, isLast: found === undefined };
};

/** Compares the devices after one and up to another. It reads the ledger day by day, in the order of its index. */
export const compareDeviceDays = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { from, to }: Pick<ComparedDays, 'from' | 'to'>,
  devices: { readonly after: string | undefined; readonly upTo: string },
) =>
  db.one<Compared>(
    unprepared(sql`
    with counted as (
      select c.device_id, c.plan_code, c.month + (n - 1)::int as day, n_bytes as bytes
      from usage_device_month c cross join unnest(c.day_bytes) with ordinality as d (n_bytes, n)
      where c.ecpd_id = ${ecpdId} and c.account_name = ${accountName}
        and c.device_id > ${devices.after ?? NO_DEVICE} and c.device_id <= ${devices.upTo}
        and n_bytes <> 0 and ${dateOfColumn('(c.month + (n - 1)::int)')} >= ${from}),
    ledger as (
      select r.device_id, coalesce(r.plan_code, '') as plan_code, r.day, sum(r.bytes)::bigint as bytes
      from (
        select generate_series(${from}::date, ${to}::date - 1, interval '1 day')::date as day
        union all
        select distinct day from usage_account_day
        where ecpd_id = ${ecpdId} and account_name = ${accountName} and day >= ${FIRST_PIECE}
          and ${dateOfColumn('day')} >= ${from}) k
      join usage_record r on r.ecpd_id = ${ecpdId} and r.account_name = ${accountName} and r.day = k.day
        and r.day >= ${from}::date and (r.day < ${to}::date or r.day >= ${FIRST_PIECE})
        and r.device_id > ${devices.after ?? NO_DEVICE} and r.device_id <= ${devices.upTo} and r.service_name is null
      group by 1, 2, 3)
    ${COMPARED}`),
  );

const KEY = sql`plan_code, day, apn, rating_group, country_code, delayed`;

/** Compares the counters of bills with the sums of the ledger: bytes, bytes with a charge of their own, and the charges. */
export const compareBillDays = (db: Db, { ecpdId, accountName }: Tenant, days: ComparedDays) =>
  db.one<Compared>(
    unprepared(sql`
    with counted as (
      select ${KEY}, bytes, charged_bytes, charge_amount from usage_bill_day
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and ${isCompared(days)}),
    ledger as (
      select coalesce(plan_code, '') as plan_code, day, coalesce(apn, '') as apn, coalesce(rating_group, '') as rating_group,
        coalesce(country_code, '') as country_code, delayed, sum(bytes)::bigint as bytes,
        coalesce(sum(bytes) filter (where charge_amount is not null), 0)::bigint as charged_bytes,
        coalesce(sum(charge_amount), 0) as charge_amount
      from usage_record
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and ${isCompared(days)}
        and service_name is null
      group by 1, 2, 3, 4, 5, 6),
    sides as (
      select ${KEY}, coalesce(c.bytes, 0) as counted, coalesce(l.bytes, 0) as recorded,
        coalesce(c.charged_bytes, 0) as counted_charged, coalesce(l.charged_bytes, 0) as recorded_charged,
        coalesce(c.charge_amount, 0) as counted_amount, coalesce(l.charge_amount, 0) as recorded_amount
      from counted c full join ledger l using (${KEY}))
    select count(*)::int as checked, coalesce(json_agg(json_build_object('deviceId', null, 'planCode', plan_code, 'day', day,
        'countedBytes', counted::text, 'ledgerBytes', recorded::text, 'bill', json_build_object('apn', apn,
          'ratingGroup', rating_group, 'countryCode', country_code, 'delayed', delayed,
          'countedChargedBytes', counted_charged::text, 'ledgerChargedBytes', recorded_charged::text,
          'countedAmount', counted_amount::text, 'ledgerAmount', recorded_amount::text))
      order by day, plan_code, apn, rating_group, country_code, delayed)
      filter (where (counted, counted_charged, counted_amount) <> (recorded, recorded_charged, recorded_amount)), '[]')
      as differences
    from sides`),
  );

/**
 * Compares the counters of metered services with the recorded uses, in one snapshot: the account's own uses by day and
 * month, and uses billed to it by day, month and using account, as far back as the uses are complete.
 */
export const compareServices = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.one<Compared>(
    unprepared(sql`
    with kept as (
      select coalesce((select starts_on from usage_ledger_start where ecpd_id = ${ecpdId}), '-infinity'::date) as from_day),
    billed_days as (
      select service_name, day, account_name, transactions from service_billed_day
      where ecpd_id = ${ecpdId} and billed_to = ${accountName}),
    months as (
      select service_name, (month || '-01')::date as day, transactions, own_transactions from service_month
      where ecpd_id = ${ecpdId} and account_name = ${accountName}),
    counted as (
      select 'day' as counter, service_name, day, '' as used_by, transactions from service_day
      where ecpd_id = ${ecpdId} and account_name = ${accountName}
      union all
      select 'own', service_name, day, '', own_transactions from months where own_transactions > 0
      union all
      select 'month', service_name, day, '', transactions from months where transactions > 0
      union all
      select 'billedDay', service_name, day, account_name, transactions from billed_days
      union all
      select 'line', service_name, (month || '-01')::date, account_name, transactions from service_month_line
      where ecpd_id = ${ecpdId} and billed_to = ${accountName}),
    own as (
      select service_name, day from service_transaction where ecpd_id = ${ecpdId} and account_name = ${accountName}),
    -- Deleting an account deletes its uses; those billed to other accounts stay on their statements.
    billed as (
      select service_name, billed_day as day, account_name, 1 as transactions from service_transaction
      where ecpd_id = ${ecpdId} and billed_to = ${accountName}
      union all
      select service_name, day, account_name, transactions from billed_days b
      where not exists (
        select 1 from account a where a.ecpd_id = ${ecpdId} and a.account_name = b.account_name)),
    ledger as (
      select 'day' as counter, service_name, day, '' as used_by, count(*) as transactions from own group by 2, 3
      union all
      select 'own', service_name, date_trunc('month', day)::date, '', count(*) from own group by 2, 3
      union all
      select 'month', service_name, date_trunc('month', day)::date, '', sum(transactions) from billed group by 2, 3
      union all
      select 'billedDay', service_name, day, account_name, sum(transactions) from billed group by 2, 3, 4
      union all
      select 'line', service_name, date_trunc('month', day)::date, account_name, sum(transactions)
      from billed group by 2, 3, 4),
    sides as (
      select counter, service_name, day, used_by, coalesce(c.transactions, 0) as counted,
        coalesce(l.transactions, 0)::bigint as recorded
      from counted c full join ledger l using (counter, service_name, day, used_by)
      where day >= (select from_day from kept))
    select count(*)::int as checked, coalesce(json_agg(json_build_object('deviceId', null, 'planCode', '', 'day', day,
        'countedBytes', '0', 'ledgerBytes', '0', 'service', json_build_object('serviceName', service_name,
          'counter', counter, 'usedBy', used_by, 'counted', counted::text, 'recorded', recorded::text))
      order by counter, day, service_name, used_by) filter (where counted <> recorded), '[]') as differences
    from sides`),
  );
