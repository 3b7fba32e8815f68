import type { LocalDay } from '../../kernel/bill-cycle.ts';
import { type CountedDays, FIRST_PIECE, PIECE_DAYS } from '../../kernel/calendar.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { joinSql, type Query, sql, trusted, unprepared } from '../../platform/db/sql.ts';

/** Whether a day is one of these. */
export const isIn = (day: Query, { from, to, pieces }: CountedDays): Query =>
  pieces.length === 0
    ? sql`${day} >= ${from}::date and ${day} < ${to}::date`
    : sql`(${day} >= ${from}::date and ${day} < ${to}::date or ${day} = any(${plainArray(pieces)}::date[]))`;

/** The date of a day, which is another one if the day is a piece. */
export const dateOfColumn = (day: string): Query =>
  trusted(`(${day} - ${PIECE_DAYS} * ((${day} - date '1970-01-01') / ${PIECE_DAYS}))`);

/** A column of lists of pieces. */
export const piecesColumn = (all: readonly CountedDays[]): string =>
  arrayText(all.map(({ pieces }) => plainArray(pieces)));

/**
 * Whether a piece is a day of a member `m` of a sum with the cycles of `m.cycle_account`: this account has pieces of its
 * own there, and any other account has those of the dates.
 */
const isPieceOfMember = (day: string): string =>
  `${day} >= date '${FIRST_PIECE}' and case when m.account_name = m.cycle_account then ${day} = any(m.pieces)
    else ${dateOfColumn(day).text} >= m.from_day and ${dateOfColumn(day).text} < m.to_day end`;

/** Whether the day of a row is one of a member `m`: `from_day`, `to_day`, `pieces`, `account_name`, `cycle_account`. */
export const isDayOfMember = (day: string): Query =>
  trusted(`(${day} >= m.from_day and ${day} < m.to_day or ${isPieceOfMember(day)})`);

/** A sum over the days of a member `m`. Pieces are few, and are looked up apart. */
const overDaysOfMember = (day: string, sumOn: (isDay: Query) => Query): Query =>
  joinSql(
    [`${day} >= m.from_day and ${day} < m.to_day`, isPieceOfMember(day)].map((days) => sumOn(trusted(days))),
    ' + ',
  );

/** What a member `m` of a sum, an account on a plan, used in the sum's cycle. */
export const bytesOfMember = (ecpdId: string): Query =>
  overDaysOfMember(
    'c.day',
    (isDay) => sql`(
        select coalesce(sum(c.bytes), 0) from usage_account_day c
        where c.ecpd_id = ${ecpdId} and c.account_name = m.account_name and c.plan_code = m.plan_code and ${isDay})`,
  );

/** The months with counters of a row `d`. */
export const MONTHS_IN_CYCLE = trusted(
  `any(array[date_trunc('month', d.from_day)::date, date_trunc('month', d.to_day - 1)::date]
    || array(select date_trunc('month', p)::date from unnest(d.pieces) as p))`,
);

/**
 * Bytes of a row `m` of usage_device_month from `d.from_day` to before `d.to_day`, and on `d.pieces`; the sum may exceed
 * a bigint.
 */
export const BYTES_IN_CYCLE = trusted(
  Array.from({ length: 31 }, (_, i) => i + 1)
    .map(
      (n) =>
        `case when ${n} between d.from_day - m.month + 1 and d.to_day - m.month
          or m.month >= date '${FIRST_PIECE}' and m.month + ${n - 1} = any(d.pieces) then m.day_bytes[${n}] else 0 end`,
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
  given: readonly (CountedDays & { readonly accountName: string; readonly planCode: string })[],
): Promise<(number | bigint)[]> =>
  (
    await db.many<{ bytes: number; exact: string | null }>(sql`
      select s.bytes::float8, case when s.bytes > ${Number.MAX_SAFE_INTEGER} then s.bytes::text end as exact
      from unnest(${given.map((a) => a.accountName)}::text[], ${given.map((a) => a.planCode)}::text[],
        ${plainArray(given.map((a) => a.from))}::date[], ${plainArray(given.map((a) => a.to))}::date[], ${piecesColumn(given)}::text[])
        with ordinality as a (account_name, plan_code, from_day, to_day, pieces, nth)
      cross join lateral (
        select ${bytesOfMember(ecpdId)} as bytes
        from (select a.account_name, a.account_name as cycle_account, a.plan_code, a.from_day, a.to_day,
          a.pieces::date[] as pieces) m) s
      order by a.nth`)
  ).map(({ bytes, exact }) => (exact === null ? bytes : BigInt(exact)));

/**
 * The data records `r` of a profile that arrived before a cycle closed. The statement continues with `and`: the days, the
 * account, and with `PLAN_THEN` the plan.
 */
const recordsBefore = (ecpdId: string, closesAt: Date): Query => sql`
  usage_record r
  left join lateral (
    select v.from_plan from usage_moved_record v
    where v.ecpd_id = ${ecpdId} and v.record_id = r.record_id and v.moved_at >= ${closesAt}
    order by v.batch_no limit 1) moved on true
  where r.ecpd_id = ${ecpdId} and r.service_name is null and r.taken_at < ${closesAt}`;

/**
 * Those records on days of the cycle. Days are listed singly so that the index finds those of a line, and also as a range
 * so that months outside it are skipped.
 */
export const recordsThen = (
  ecpdId: string,
  { closesAt, ...days }: CountedDays & { readonly closesAt: Date },
): Query => sql`
  ${recordsBefore(ecpdId, closesAt)}
    and ${isIn(sql`r.day`, days)}
    and r.day = any(array(select generate_series(${days.from}::date, ${days.to}::date - 1, interval '1 day')::date)
      || ${plainArray(days.pieces)}::date[])`;

/** The plan that a record `r` counted for when the cycle closed. */
export const PLAN_THEN = trusted('coalesce(moved.from_plan, r.plan_code)');

/** What a member `m` of a sum had used when the sum's cycle closed. */
export const bytesOfMemberThen = (ecpdId: string, closesAt: Date): Query =>
  overDaysOfMember(
    'r.day',
    (isDay) => sql`(
        select coalesce(sum(r.bytes), 0) from ${recordsBefore(ecpdId, closesAt)}
          and ${isDay} and r.account_name = m.account_name and ${PLAN_THEN} = m.plan_code)`,
  );
