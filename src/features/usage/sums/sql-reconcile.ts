import type { LocalDay } from '../../../kernel/bill-cycle.ts';
import { NIL_UUID } from '../../../kernel/uuid.ts';
import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql, unprepared } from '../../../platform/db/sql.ts';
import type { Compared, DaySpan } from '../ledger.ts';

/** The days on which anything can differ: those of the ledger or the counters, as far as the ledger is whole. */
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
      (select day from usage_account_day where ecpd_id = ${ecpdId} and account_name = ${accountName})) days`);

/** Below every device: stands for the account itself, because null is not equal to null. */
const NO_DEVICE = NIL_UUID;
const LAST_DEVICE = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const COMPARED = sql`
  select count(*)::int as checked, coalesce(json_agg(json_build_object('deviceId', nullif(device_id, ${NO_DEVICE}::uuid),
      'planCode', plan_code, 'day', day, 'countedBytes', counted::text, 'ledgerBytes', recorded::text)
    order by device_id, day, plan_code) filter (where counted <> recorded), '[]') as differences
  from (select device_id, plan_code, day, coalesce(c.bytes, 0) as counted, coalesce(l.bytes, 0) as recorded
        from counted c full join ledger l using (device_id, plan_code, day)) sides`;

/** One statement, one snapshot: a feed that goes on meanwhile makes no difference. */
export const compareAccountDays = (db: Db, { ecpdId, accountName }: Tenant, { from, to }: DaySpan) =>
  db.one<Compared>(
    unprepared(sql`
    with counted as (
      select ${NO_DEVICE}::uuid as device_id, plan_code, day, bytes from usage_account_day
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and day >= ${from} and day < ${to}),
    ledger as (
      select ${NO_DEVICE}::uuid as device_id, coalesce(plan_code, '') as plan_code, day, sum(bytes)::bigint as bytes
      from usage_record
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and day >= ${from} and day < ${to}
        and service_name is null
      group by 2, 3)
    ${COMPARED}`),
  );

/** The last of the next so many devices that have a counter, or of all devices where there are fewer. */
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

/** Of the devices after one and up to another. The ledger is read day by day, because its index is in that order. */
export const compareDeviceDays = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { from, to }: DaySpan,
  devices: { readonly after: string | undefined; readonly upTo: string },
) =>
  db.one<Compared>(
    unprepared(sql`
    with counted as (
      select c.device_id, c.plan_code, c.month + (n - 1)::int as day, n_bytes as bytes
      from usage_device_month c cross join unnest(c.day_bytes) with ordinality as d (n_bytes, n)
      where c.ecpd_id = ${ecpdId} and c.account_name = ${accountName}
        and c.device_id > ${devices.after ?? NO_DEVICE} and c.device_id <= ${devices.upTo}
        and n_bytes <> 0 and c.month + (n - 1)::int >= ${from}),
    ledger as (
      select r.device_id, coalesce(r.plan_code, '') as plan_code, r.day, sum(r.bytes)::bigint as bytes
      from generate_series(${from}::date, ${to}::date - 1, interval '1 day') as k (day)
      join usage_record r on r.ecpd_id = ${ecpdId} and r.account_name = ${accountName} and r.day = k.day::date
        and r.device_id > ${devices.after ?? NO_DEVICE} and r.device_id <= ${devices.upTo} and r.service_name is null
      group by 1, 2, 3)
    ${COMPARED}`),
  );
