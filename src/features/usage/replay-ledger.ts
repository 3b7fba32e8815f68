import type { LocalDay } from '../../kernel/bill-cycle.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, unprepared } from '../../platform/db/sql.ts';
import { DAY_MS, LATE_DAYS } from './ledger.ts';

/** What is counted once more, from the records; numbers are places in the lists of what is asked. */
export interface Replay {
  /** What an account used on a plan belongs to a counter, which may have several, and the calendar says its cycles. */
  readonly members: readonly {
    readonly counter: number;
    readonly accountName: string;
    readonly planCode: string;
    readonly calendar: number;
  }[];
  /** Each line has a counter of its own. */
  readonly perLine: boolean;
  readonly days: readonly {
    readonly calendar: number;
    readonly day: LocalDay;
    readonly opensAt: Date;
    readonly closesAt: Date;
  }[];
  /** Reached by the first record with which the counter is greater. */
  readonly levels: readonly { readonly counter: number; readonly beyondBytes: number }[];
  /** Only what records of these days have reached is answered; both included. */
  readonly from: LocalDay;
  readonly to: LocalDay;
}

export interface ReplayedCrossing {
  /** Places in `levels`, from 0. */
  readonly level: number;
  readonly recordId: string;
  readonly accountName: string;
  readonly planCode: string;
  readonly deviceId: string;
  readonly takenAt: Date;
  readonly opensAt: Date;
  readonly closesAt: Date;
  readonly late: boolean;
  readonly beforeBytes: number;
  readonly afterBytes: number;
}

/**
 * What records have reached, in the order in which they were taken; of one batch the ledger does not know the order, so the
 * ids decide. What came more than 72 hours after its cycle counts, and reaches nothing.
 */
export const replayLedger = (
  db: Db,
  ecpdId: string,
  { members, perLine, days, levels, from, to }: Replay,
  limit: number,
) =>
  db.many<ReplayedCrossing>(
    unprepared(sql`
    with member as materialized (
      select * from unnest(${plainArray(members.map((m) => m.counter))}::int[],
        ${members.map((m) => m.accountName)}::text[], ${members.map((m) => m.planCode)}::text[],
        ${plainArray(members.map((m) => m.calendar))}::int[]) as m (counter, account_name, plan_code, calendar)),
    day as materialized (
      select * from unnest(${plainArray(days.map((d) => d.calendar))}::int[], ${plainArray(days.map((d) => d.day))}::date[],
        ${plainArray(days.map((d) => d.opensAt))}::timestamptz[], ${plainArray(days.map((d) => d.closesAt))}::timestamptz[])
        as d (calendar, day, opens_at, closes_at)),
    level as materialized (
      select * from unnest(${plainArray(levels.map((l) => l.counter))}::int[],
        ${plainArray(levels.map((l) => l.beyondBytes))}::bigint[]) with ordinality as l (counter, beyond_bytes, nth)),
    running as (
      select m.counter, r.record_id, r.account_name, r.plan_code, r.device_id, r.day, r.taken_at, r.bytes, d.opens_at,
        d.closes_at,
        sum(r.bytes) over (partition by m.counter, ${perLine ? sql`r.device_id` : sql`null::uuid`}, d.opens_at
          order by r.taken_at, r.record_id) as total
      from member m
      join usage_record r on r.ecpd_id = ${ecpdId} and r.account_name = m.account_name and r.plan_code = m.plan_code
        and r.service_name is null
      join day d on d.calendar = m.calendar and d.day = r.day
      where r.day >= (select min(day) from day) and r.day <= (select max(day) from day))
    select (l.nth - 1)::int as level, u.record_id as "recordId", u.account_name as "accountName",
      u.plan_code as "planCode", u.device_id as "deviceId", u.taken_at as "takenAt", u.opens_at as "opensAt",
      u.closes_at as "closesAt", u.taken_at >= u.closes_at as late, (u.total - u.bytes)::float8 as "beforeBytes",
      u.total::float8 as "afterBytes"
    from running u
    join level l on l.counter = u.counter and u.total > l.beyond_bytes and u.total - u.bytes <= l.beyond_bytes
    where u.day >= ${from}::date and u.day <= ${to}::date
      and u.taken_at < u.closes_at + ${LATE_DAYS * DAY_MS}::float8 * interval '1 millisecond'
    order by u.taken_at, u.record_id, l.nth limit ${limit}`),
  );
