import type { CycleDays, LocalDay } from '../../../../kernel/bill-cycle.ts';
import type { Tenant } from '../../../../platform/context.ts';
import type { Db } from '../../../../platform/db/db.ts';
import { plainArray } from '../../../../platform/db/plain-array.ts';
import { sql, trusted } from '../../../../platform/db/sql.ts';

export interface UsedOfAllowance {
  readonly usedBytes: number;
  /** What all active lines on plans with an allowance may use together; null where no plan has one. */
  readonly allowanceBytes: number | null;
  readonly activeLines: number;
}

const ALLOWANCE = trusted(`lateral (
  select sum(l.lines * p.allowance_bytes)::float8 as bytes, coalesce(sum(l.lines), 0)::int as lines
  from (select d.service_plan, count(*) as lines from device d
        where d.ecpd_id = a.ecpd_id and d.account_name = a.account_name and d.state = 'active' group by 1) l
  left join plan p on p.code = l.service_plan)`);

/** Each account in its own cycle, in the order of their names. */
export const listUsedOfAllowance = (db: Db, accounts: readonly (Tenant & CycleDays)[]) =>
  db.many<UsedOfAllowance & { readonly accountName: string }>(sql`
    select a.account_name as "accountName", coalesce(u.bytes, 0)::float8 as "usedBytes",
      g.bytes as "allowanceBytes", g.lines as "activeLines"
    from unnest(${accounts.map(({ ecpdId }) => ecpdId)}::text[], ${accounts.map(({ accountName }) => accountName)}::text[],
      ${plainArray(accounts.map(({ from }) => from))}::date[], ${plainArray(accounts.map(({ to }) => to))}::date[])
      as a (ecpd_id, account_name, from_day, to_day)
    cross join lateral (
      select sum(bytes) as bytes from usage_account_day c
      where c.ecpd_id = a.ecpd_id and c.account_name = a.account_name and c.day >= a.from_day and c.day < a.to_day) u
    cross join ${ALLOWANCE} g
    order by a.account_name`);

export interface PlanUsage {
  readonly planCode: string;
  readonly planName: string | null;
  readonly lines: number;
  readonly usedBytes: number;
  readonly allowanceBytes: number | null;
}

/** Plans that lines are on or that something was used on in the cycle, the most used first. */
export const listPlanUsage = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { from, to }: CycleDays,
  limit: number,
) =>
  db.many<PlanUsage>(sql`
    with used as (
      select plan_code, sum(bytes) as bytes from usage_account_day
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and day >= ${from} and day < ${to} group by 1),
    held as (
      select service_plan as plan_code, count(*)::int as lines from device
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and state = 'active' and service_plan is not null
      group by 1)
    select plan_code as "planCode", p.name as "planName", coalesce(h.lines, 0) as lines,
      coalesce(u.bytes, 0)::float8 as "usedBytes", (h.lines * p.allowance_bytes)::float8 as "allowanceBytes"
    from used u full join held h using (plan_code) left join plan p on p.code = plan_code
    order by coalesce(u.bytes, 0) desc, plan_code limit ${limit}`);

export const listDailyUsage = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { from, to }: { readonly from: LocalDay; readonly to: LocalDay },
) =>
  db.many<{ readonly day: LocalDay; readonly bytes: number }>(sql`
    select day, sum(bytes)::float8 as bytes from usage_account_day
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and day >= ${from} and day < ${to}
    group by day order by day`);

export const countStates = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.many<{ readonly state: string; readonly devices: number }>(sql`
    select state, count(*)::int as devices from device
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and kind <> 'sensor'
    group by state order by state`);
