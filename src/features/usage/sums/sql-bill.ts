import type { CountedDays } from '../../../kernel/calendar.ts';
import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { type Query, sql, trusted, unprepared } from '../../../platform/db/sql.ts';
import { isIn, piecesColumn } from '../sql-cycle.ts';
import { type Bill, type BilledBy, type BilledRow, type BilledSum, toBill } from './bill.ts';

/** Limit on the sums (APNs or rating groups by country) of all lines of one bill; more than anyone reads. */
const ROWS_MAX = 200_000;

/** The bill has more sums than one response may hold. */
export class BillTooLarge extends Error {}

/** A rate is for 1,048,576 bytes. This is that fraction exactly, so multiplying by it rounds nothing. */
const MB = trusted('0.00000095367431640625');

/**
 * Adds up rows of `used` (line, name, country_code, delayed, plan_code, bytes, charged_bytes, charge_amount).
 * Usage without a charge of its own costs its plan's rate; without a rate it is not billed.
 */
const billedRows = async (db: Db, used: Query): Promise<readonly BilledRow[]> => {
  const rows = await db.many<BilledRow>(
    unprepared(sql`
    with used as (${used}),
    rated as (
      select u.line, u.name, u.country_code, u.delayed, u.bytes,
        case when p.rate_per_mb is null then u.charged_bytes else u.bytes end as billed_bytes,
        u.charge_amount + coalesce(p.rate_per_mb * (u.bytes - u.charged_bytes) * ${MB}, 0) as amount
      from used u left join plan p on p.code = u.plan_code)
    select line, name, country_code as "countryCode",
      case grouping(name, country_code, delayed)
        when 7 then 'total' when 3 then 'group' when 1 then 'country' else 'delayed' end as level,
      sum(bytes)::text as "totalBytes", sum(billed_bytes)::text as "billedBytes", sum(amount)::text as amount
    from rated
    group by grouping sets ((line), (line, name), (line, name, country_code), (line, name, country_code, delayed))
    having grouping(name, country_code, delayed) > 0 or delayed
    order by line, name, country_code limit ${ROWS_MAX + 1}`),
  );
  if (rows.length > ROWS_MAX) throw new BillTooLarge(`more than ${ROWS_MAX} sums`);
  return rows;
};

/** The bill of all lines together, from daily sums: its cost depends on the number of days, not of records. */
export const billAccount = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  days: CountedDays,
  by: BilledBy,
): Promise<Bill> =>
  toBill(
    await billedRows(
      db,
      sql`
      select null::text as line, ${trusted(by)} as name, country_code, delayed, plan_code, bytes, charged_bytes,
        charge_amount
      from usage_bill_day
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and ${isIn(sql`day`, days)}`,
    ),
  );

/** The totals of several spans, in their order, even if the bill of one would be too large. */
export const sumBills = (db: Db, { ecpdId, accountName }: Tenant, spans: readonly CountedDays[]) =>
  db.many<BilledSum>(
    unprepared(sql`
    select coalesce(sum(u.bytes), 0)::text as "totalBytes",
      coalesce(sum(case when p.rate_per_mb is null then u.charged_bytes else u.bytes end), 0)::text as "billedBytes",
      coalesce(sum(u.charge_amount + coalesce(p.rate_per_mb * (u.bytes - u.charged_bytes) * ${MB}, 0)), 0)::text as amount
    from unnest(${plainArray(spans.map(({ from }) => from))}::date[], ${plainArray(spans.map(({ to }) => to))}::date[],
      ${piecesColumn(spans)}::text[]) with ordinality as given (from_day, to_day, pieces, nth)
    left join lateral (
      select plan_code, sum(bytes) as bytes, sum(charged_bytes) as charged_bytes, sum(charge_amount) as charge_amount
      from usage_bill_day
      where ecpd_id = ${ecpdId} and account_name = ${accountName} 
        and (day >= given.from_day and day < given.to_day or day = any(given.pieces::date[]))
      group by plan_code) u on true
    left join plan p on p.code = u.plan_code
    group by given.nth order by given.nth`),
  );

/** What one bill is for: a device, or several devices that bore one identifier. */
interface BilledLine {
  readonly key: string;
  readonly deviceIds: readonly string[];
}

/** The records of some lines, with one index lookup for each device and day: no other device's records are read. */
const recordsOf = (
  { ecpdId, accountName }: Tenant,
  { from, to, pieces }: CountedDays,
  by: BilledBy,
  lines: readonly BilledLine[],
) => sql`
  select given.line, coalesce(r.${trusted(by)}, '') as name, coalesce(r.country_code, '') as country_code, r.delayed,
    r.plan_code, r.bytes, case when r.charge_amount is null then 0 else r.bytes end as charged_bytes,
    coalesce(r.charge_amount, 0) as charge_amount
  from unnest(${plainArray(lines.flatMap(({ deviceIds }) => deviceIds))}::uuid[],
    ${plainArray(lines.flatMap(({ key, deviceIds }) => deviceIds.map(() => key)))}::text[]) as given (device_id, line)
  cross join unnest(array(select generate_series(${from}::date, ${to}::date - 1, interval '1 day')::date)
    || ${plainArray(pieces)}::date[]) as k (day)
  cross join lateral (
    select * from usage_record
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and day = k.day and device_id = given.device_id
      and service_name is null
    offset 0) r`;

/** One bill for each line, by its key; a line without usage is left out. */
export async function billLines(
  db: Db,
  tenant: Tenant,
  span: CountedDays,
  by: BilledBy,
  lines: readonly BilledLine[],
): Promise<ReadonlyMap<string, Bill>> {
  const rows = await billedRows(db, recordsOf(tenant, span, by, lines));
  const ofLines = Map.groupBy(rows, ({ line }) => line ?? '');
  return new Map([...ofLines].map(([key, own]) => [key, toBill(own)]));
}

/** One bill for some devices together. */
export const billDevices = async (
  db: Db,
  tenant: Tenant,
  span: CountedDays,
  by: BilledBy,
  deviceIds: readonly string[],
): Promise<Bill> =>
  toBill(
    await billedRows(
      db,
      sql`
      select null::text as line, u.name, u.country_code, u.delayed, u.plan_code, u.bytes, u.charged_bytes,
        u.charge_amount
      from (${recordsOf(tenant, span, by, [{ key: 'all', deviceIds }])}) u`,
    ),
  );

/** More than anyone needs to know. */
const ACCOUNTS_COUNTED = 1_000;

/** How many accounts have a stored bill that depends on the plan's rate. A read across profiles that takes no locks. */
export const countAccountsBilledBy = (db: Db, planCode: string): Promise<number> =>
  db.value<number>(
    unprepared(sql`
    select count(*)::int as count from (
      select distinct ecpd_id, account_name from usage_bill_day where plan_code = ${planCode} limit ${ACCOUNTS_COUNTED}) b`),
  );
