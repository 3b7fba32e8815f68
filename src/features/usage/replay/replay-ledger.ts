import type { LocalDay } from '../../../kernel/bill-cycle.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { type Query, sql, trusted, unprepared } from '../../../platform/db/sql.ts';
import { DAY_MS, LATE_DAYS } from '../ledger.ts';

/** What is counted once more, from the records; numbers are places in the lists of what is asked. */
export interface Replay {
  /** What an account used on a plan belongs to a counter, which may have several, and the calendar says its cycles. */
  readonly members: readonly {
    readonly counter: number;
    readonly accountName: string;
    readonly planCode: string;
    readonly calendar: number;
  }[];
  readonly days: readonly {
    readonly calendar: number;
    readonly day: LocalDay;
    readonly opensAt: Date;
    readonly closesAt: Date;
  }[];
  /** Only what was reached on these days is answered; both included. */
  readonly from: LocalDay;
  readonly to: LocalDay;
}

export interface LedgerReplay extends Replay {
  /** Each line has a counter of its own. */
  readonly perLine: boolean;
  /** Reached by the first record with which the counter is greater. */
  readonly levels: readonly { readonly counter: number; readonly beyondBytes: number }[];
}

/** A level that was reached. */
export interface Replayed {
  /** Places in `levels`, from 0. */
  readonly level: number;
  /** Null: no record did. */
  readonly recordId: string | null;
  readonly takenAt: Date;
  readonly opensAt: Date;
  readonly closesAt: Date;
  readonly late: boolean;
  readonly beforeBytes: number;
  readonly afterBytes: number;
}

export interface ReplayedCrossing extends Replayed {
  readonly planCode: string;
  readonly deviceId: string;
}

/** What is asked, as `member` and `day`. */
export const askedRows = ({ members, days }: Replay): Query => sql`
    member as materialized (
      select * from unnest(${plainArray(members.map((m) => m.counter))}::int[],
        ${members.map((m) => m.accountName)}::text[], ${members.map((m) => m.planCode)}::text[],
        ${plainArray(members.map((m) => m.calendar))}::int[]) as m (counter, account_name, plan_code, calendar)),
    day as materialized (
      select * from unnest(${plainArray(days.map((d) => d.calendar))}::int[], ${plainArray(days.map((d) => d.day))}::date[],
        ${plainArray(days.map((d) => d.opensAt))}::timestamptz[], ${plainArray(days.map((d) => d.closesAt))}::timestamptz[])
        as d (calendar, day, opens_at, closes_at))`;

/** The records `r` of the members `m` in their cycles `d`, with the batch `b` that each came in. */
export const countedRecords = (ecpdId: string): Query => sql`
      member m
      join usage_record r on r.ecpd_id = ${ecpdId} and r.account_name = m.account_name and r.plan_code = m.plan_code
        and r.service_name is null and r.day >= (select min(day) from day) and r.day <= (select max(day) from day)
      join day d on d.calendar = m.calendar and d.day = r.day
      left join usage_batch b on b.ecpd_id = ${ecpdId} and b.batch_no = r.batch_no`;

/** Records from before the order was kept were counted as they were taken; of one batch their ids decide. */
export const PLACE = trusted('coalesce(b.place, 0)');
export const IN_ORDER = trusted('place, taken_at, nth, record_id');

/** What came so long after its cycle counts, and reaches nothing. */
export const IS_OVER = sql`u.taken_at >= u.closes_at + ${LATE_DAYS * DAY_MS}::float8 * interval '1 millisecond'`;

/** What records have reached, in the order in which they were counted. */
export const replayLedger = (
  db: Db,
  ecpdId: string,
  replay: LedgerReplay,
  limit: number,
): Promise<ReplayedCrossing[]> => {
  const { levels, perLine, from, to } = replay;
  return db.many<ReplayedCrossing>(
    unprepared(sql`
    with ${askedRows(replay)},
    level as materialized (
      select * from unnest(${plainArray(levels.map((l) => l.counter))}::int[],
        ${plainArray(levels.map((l) => l.beyondBytes))}::bigint[]) with ordinality as l (counter, beyond_bytes, level)),
    record as (
      select m.counter, r.record_id, r.plan_code, r.device_id, r.day, r.taken_at, r.bytes, r.nth, d.opens_at, d.closes_at,
        ${PLACE} as place
      from ${countedRecords(ecpdId)}),
    running as (
      select *, sum(bytes) over (partition by counter, ${perLine ? sql`device_id` : sql`null::uuid`}, opens_at
          order by ${IN_ORDER}) as total
      from record)
    select (l.level - 1)::int as level, u.record_id as "recordId", u.plan_code as "planCode",
      u.device_id as "deviceId", u.taken_at as "takenAt", u.opens_at as "opensAt", u.closes_at as "closesAt",
      u.taken_at >= u.closes_at as late, (u.total - u.bytes)::float8 as "beforeBytes", u.total::float8 as "afterBytes"
    from running u
    join level l on l.counter = u.counter and u.total > l.beyond_bytes and u.total - u.bytes <= l.beyond_bytes
    where u.day >= ${from}::date and u.day <= ${to}::date and not ${IS_OVER}
    order by ${IN_ORDER}, l.level limit ${limit}`),
  );
};
