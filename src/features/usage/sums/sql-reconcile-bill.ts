import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql, unprepared } from '../../../platform/db/sql.ts';
import type { Compared, DaySpan } from '../ledger.ts';

const KEY = sql`plan_code, day, apn, rating_group, country_code, delayed`;

/** What bills are made of against what the ledger adds up to: bytes, those with a charge of their own, and the charges. */
export const compareBillDays = (db: Db, { ecpdId, accountName }: Tenant, { from, to }: DaySpan) =>
  db.one<Compared>(
    unprepared(sql`
    with counted as (
      select ${KEY}, bytes, charged_bytes, charge_amount from usage_bill_day
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and day >= ${from} and day < ${to}),
    ledger as (
      select coalesce(plan_code, '') as plan_code, day, coalesce(apn, '') as apn, coalesce(rating_group, '') as rating_group,
        coalesce(country_code, '') as country_code, delayed, sum(bytes)::bigint as bytes,
        coalesce(sum(bytes) filter (where charge_amount is not null), 0)::bigint as charged_bytes,
        coalesce(sum(charge_amount), 0) as charge_amount
      from usage_record
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and day >= ${from} and day < ${to}
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
