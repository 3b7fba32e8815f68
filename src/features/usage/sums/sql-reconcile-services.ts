import type { Tenant } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql, unprepared } from '../../../platform/db/sql.ts';
import type { Compared } from '../ledger.ts';

/**
 * The counters of metered services against the billed uses they were made of, in one snapshot: days, months and lines of the
 * account, as far back as its uses are whole.
 */
export const compareServices = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.one<Compared>(
    unprepared(sql`
    with kept as (
      select coalesce((select starts_on from usage_ledger_start where ecpd_id = ${ecpdId}), '-infinity'::date) as from_day),
    counted as (
      select 'day' as counter, service_name, day, '' as used_by, transactions from service_day
      where ecpd_id = ${ecpdId} and account_name = ${accountName}
      union all
      select 'month', service_name, (month || '-01')::date, '', transactions from service_month
      where ecpd_id = ${ecpdId} and account_name = ${accountName}
      union all
      select 'line', service_name, (month || '-01')::date, account_name, transactions from service_month_line
      where ecpd_id = ${ecpdId} and billed_to = ${accountName}),
    own as (
      select service_name, day from service_transaction where ecpd_id = ${ecpdId} and account_name = ${accountName}),
    -- Deleting an account deletes its uses; what others were billed for them stays on their statements.
    gone as (
      select l.service_name, (l.month || '-01')::date as day, l.account_name, l.transactions from service_month_line l
      where l.ecpd_id = ${ecpdId} and l.billed_to = ${accountName} and not exists (
        select from account a where a.ecpd_id = ${ecpdId} and a.account_name = l.account_name)),
    billed as (
      select service_name, (billed_month || '-01')::date as day, account_name from service_transaction
      where ecpd_id = ${ecpdId} and billed_to = ${accountName}),
    ledger as (
      select 'day' as counter, service_name, day, '' as used_by, count(*) as transactions from own group by 2, 3
      union all
      select 'month', service_name, day, '', sum(uses) from (
        select service_name, date_trunc('month', day)::date as day, 1 as uses from own
        union all
        select service_name, day, 1 from billed where account_name <> ${accountName}
        union all
        select service_name, day, transactions from gone) uses
      group by 2, 3
      union all
      select 'line', service_name, day, account_name, count(*) from billed group by 2, 3, 4
      union all
      select 'line', service_name, day, account_name, transactions from gone),
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
