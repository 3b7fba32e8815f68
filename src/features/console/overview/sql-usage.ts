import type { LocalDay } from '../../../kernel/bill-cycle.ts';
import type { CountedDays } from '../../../kernel/calendar.ts';
import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql } from '../../../platform/db/sql.ts';
import { dateOfColumn, isIn, piecesColumn } from '../../usage/index.ts';

export interface UsedOfAllowance {
  readonly usedBytes: number;
  /** The allowance of all active devices together, as triggers count it; null if no plan has one. */
  readonly allowanceBytes: number | null;
  /** Without sensors, which are part of a device. */
  readonly activeLines: number;
}

/** Accounts of one profile, each in its own cycle. */
export const listUsedOfAllowance = (
  db: Db,
  ecpdId: string,
  accounts: readonly (Pick<Tenant, 'accountName'> & CountedDays)[],
) =>
  db.many<UsedOfAllowance & { readonly accountName: string }>(sql`
    select a.account_name as "accountName", coalesce(u.bytes, 0)::float8 as "usedBytes",
      g.bytes as "allowanceBytes", g.lines as "activeLines"
    from unnest(${accounts.map(({ accountName }) => accountName)}::text[],
      ${plainArray(accounts.map(({ from }) => from))}::date[], ${plainArray(accounts.map(({ to }) => to))}::date[],
      ${piecesColumn(accounts)}::text[]) as a (account_name, from_day, to_day, pieces)
    cross join lateral (
      select sum(bytes) as bytes from usage_account_day c
      where c.ecpd_id = ${ecpdId} and c.account_name = a.account_name
        and (c.day >= a.from_day and c.day < a.to_day or c.day = any(a.pieces::date[]))) u
    cross join lateral (
      select sum(l.lines * p.allowance_bytes)::float8 as bytes, coalesce(sum(l.own_lines), 0)::int as lines
      from (select d.service_plan, count(*) as lines, count(*) filter (where d.kind <> 'sensor') as own_lines from device d
            where d.ecpd_id = ${ecpdId} and d.account_name = a.account_name and d.state = 'active' group by 1) l
      left join plan p on p.code = l.service_plan) g`);

/** The number of devices in one state on one plan. */
export interface CountedLines {
  readonly state: string;
  readonly planCode: string | null;
  readonly isSensor: boolean;
  readonly devices: number;
}

/** Everything that an overview counts, in one scan of the account's devices, by state. */
export const countLines = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.many<CountedLines>(sql`
    select state, service_plan as "planCode", kind = 'sensor' as "isSensor", count(*)::int as devices from device
    where ecpd_id = ${ecpdId} and account_name = ${accountName}
    group by 1, 2, 3 order by 1, 2, 3`);

/** The usage of each plan in the cycle, without plans that have none. */
export const listUsedByPlan = (db: Db, { ecpdId, accountName }: Tenant, days: CountedDays) =>
  db.many<{ readonly planCode: string; readonly bytes: number }>(sql`
    select plan_code as "planCode", sum(bytes)::float8 as bytes from usage_account_day
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and ${isIn(sql`day`, days)} group by 1
    order by 1`);

export interface PlanFacts {
  readonly planCode: string;
  readonly name: string | null;
  readonly allowanceBytes: number | null;
}

export const listPlanFacts = (db: Db, codes: readonly string[]) =>
  db.many<PlanFacts>(sql`
    select code as "planCode", name, allowance_bytes::float8 as "allowanceBytes" from plan
    where code = any(${codes}::text[])`);

export const listDailyUsage = (db: Db, { ecpdId, accountName }: Tenant, days: CountedDays) =>
  db.many<{ readonly day: LocalDay; readonly bytes: number }>(sql`
    select ${dateOfColumn('day')} as day, sum(bytes)::float8 as bytes from usage_account_day
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and ${isIn(sql`day`, days)}
    group by 1 order by 1`);
