import type { LocalDay } from '../../kernel/bill-cycle.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { type Query, sql, trusted, unprepared } from '../../platform/db/sql.ts';
import type { DaySpan } from './ledger.ts';

/** Bytes of a row `m` of usage_device_month from `d.from_day` to before `d.to_day`; the sum may exceed a bigint. */
export const BYTES_IN_CYCLE = trusted(
  Array.from({ length: 31 }, (_, i) => i + 1)
    .map(
      (n) =>
        `case when ${n} between d.from_day - m.month + 1 and d.to_day - m.month then m.day_bytes[${n}] else 0 end`,
    )
    .reduce((sum, day) => `${sum} + ${day}`, '0::numeric'),
);

/** The counter of a line on a plan in a calendar month. */
export interface MonthOfLine {
  readonly accountName: string;
  readonly deviceId: string;
  readonly planCode: string;
  readonly month: LocalDay;
}

const monthsOfLines = (ecpdId: string, given: readonly MonthOfLine[], dayBytes: Query): Query =>
  unprepared(sql`
    select a.nth::int, ${dayBytes} as "dayBytes"
    from unnest(${arrayText(given.map((a) => a.accountName))}::text[], ${plainArray(given.map((a) => a.deviceId))}::uuid[],
      ${arrayText(given.map((a) => a.planCode))}::text[], ${plainArray(given.map((a) => a.month))}::date[])
      with ordinality as a (account_name, device_id, plan_code, month, nth)
    join usage_device_month m on m.ecpd_id = ${ecpdId} and m.account_name = a.account_name
      and m.device_id = a.device_id and m.month = a.month and m.plan_code = a.plan_code`);

/** `nth`, from 1, is the position in the list; a month without usage has no row. */
export const listMonthsOfLines = (db: Db, ecpdId: string, given: readonly MonthOfLine[]) =>
  db.many<{ nth: number; dayBytes: number[] }>(monthsOfLines(ecpdId, given, sql`to_json(m.day_bytes)`));

/** The same months, for totals that a double cannot hold. */
export const listExactMonthsOfLines = async (db: Db, ecpdId: string, given: readonly MonthOfLine[]) =>
  (
    await db.many<{ nth: number; dayBytes: string[] }>(monthsOfLines(ecpdId, given, sql`m.day_bytes::text[]`))
  ).map(({ nth, dayBytes }) => ({ nth, dayBytes: dayBytes.map(BigInt) }));

/** What each account used on the plan in the days, in the order of the list; always exact. */
export const sumAccountDays = async (
  db: Db,
  ecpdId: string,
  given: readonly (DaySpan & { readonly accountName: string; readonly planCode: string })[],
): Promise<(number | bigint)[]> =>
  (
    await db.many<{ bytes: number; exact: string | null }>(sql`
      select s.bytes::float8, case when s.bytes > ${Number.MAX_SAFE_INTEGER} then s.bytes::text end as exact
      from unnest(${given.map((a) => a.accountName)}::text[], ${given.map((a) => a.planCode)}::text[],
        ${plainArray(given.map((a) => a.from))}::date[], ${plainArray(given.map((a) => a.to))}::date[])
        with ordinality as a (account_name, plan_code, from_day, to_day, nth)
      cross join lateral (
        select coalesce(sum(c.bytes), 0) as bytes from usage_account_day c
        where c.ecpd_id = ${ecpdId} and c.account_name = a.account_name and c.plan_code = a.plan_code
          and c.day >= a.from_day and c.day < a.to_day) s
      order by a.nth`)
  ).map(({ bytes, exact }) => (exact === null ? bytes : BigInt(exact)));

/**
 * The data records `r` of a profile on days of a cycle that arrived before it closed. The statement continues with
 * `and`: the account, and with `PLAN_THEN` the plan. Days are listed singly so that the index finds those of a line,
 * and also as a range so that months outside it are skipped.
 */
export const recordsThen = (
  ecpdId: string,
  { from, to, closesAt }: DaySpan & { readonly closesAt: Date },
): Query => sql`
  usage_record r
  left join lateral (
    select v.from_plan from usage_moved_record v
    where v.ecpd_id = ${ecpdId} and v.record_id = r.record_id and v.moved_at >= ${closesAt}
    order by v.batch_no limit 1) moved on true
  where r.ecpd_id = ${ecpdId} and r.service_name is null and r.taken_at < ${closesAt}
    and r.day >= ${from}::date and r.day < ${to}::date
    and r.day = any(array(select generate_series(${from}::date, ${to}::date - 1, interval '1 day')::date))`;

/** The plan that a record `r` counted for when the cycle closed. */
export const PLAN_THEN = trusted('coalesce(moved.from_plan, r.plan_code)');
