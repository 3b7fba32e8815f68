import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql, unprepared } from '../../../platform/db/sql.ts';
import type { Compared } from '../ledger.ts';

/**
 * The counters of metered services against the uses they were made of, in one snapshot: the account's own uses by day and
 * month, and what is billed to it by day and month and by the account that used it, as far back as its uses are whole.
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
    -- Deleting an account deletes its uses; what others were billed for them stays on their statements.
    billed as (
      select service_name, billed_day as day, account_name, 1 as transactions from service_transaction
      where ecpd_id = ${ecpdId} and billed_to = ${accountName}
      union all
      select service_name, day, account_name, transactions from billed_days b
      where not exists (
        select from account a where a.ecpd_id = ${ecpdId} and a.account_name = b.account_name)),
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
