import type { LocalDay } from '../../../kernel/bill-cycle.ts';
import { FIRST_PIECE } from '../../../kernel/calendar.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { type Query, sql, trusted, unprepared } from '../../../platform/db/sql.ts';
import { DAY_MS, LATE_DAYS } from '../ledger.ts';
import { dateOfColumn } from '../sql-cycle.ts';

/** What is counted again from the records; numbers are indexes into the lists. */
export interface Replay {
  /** Usage of an account on a plan belongs to a counter, which may have several members. The calendar defines its cycles. */
  readonly members: readonly {
    readonly counter: number;
    readonly accountName: string;
    readonly planCode: string;
    readonly calendar: number;
    /** The calendar is the account's own. Only then a piece of a day is in its own cycle; else its date counts. */
    readonly isOwn: boolean;
  }[];
  readonly days: readonly {
    readonly calendar: number;
    readonly day: LocalDay;
    readonly opensAt: Date;
    readonly closesAt: Date;
  }[];
  /** Only levels reached on these dates are returned; both dates included. */
  readonly from: LocalDay;
  readonly to: LocalDay;
  /** Count only the usage of this line. */
  readonly deviceId?: string | undefined;
}

/** A level that was reached. */
export interface Replayed {
  /** Index in `levels`. */
  readonly level: number;
  /** Null: not reached by a record. */
  readonly recordId: string | null;
  /** Usage was moved to the plan. */
  readonly cause: 'planChange' | null;
  readonly takenAt: Date;
  readonly opensAt: Date;
  readonly closesAt: Date;
  readonly late: boolean;
  readonly beforeBytes: number;
  readonly afterBytes: number;
}

/** The input rows, as `member` and `day`. */
const askedRows = ({ members, days }: Replay): Query => sql`
    member as materialized (
      select * from unnest(${plainArray(members.map((m) => m.counter))}::int[],
        ${members.map((m) => m.accountName)}::text[], ${members.map((m) => m.planCode)}::text[],
        ${plainArray(members.map((m) => m.calendar))}::int[], ${members.map((m) => m.isOwn)}::boolean[])
        as m (counter, account_name, plan_code, calendar, is_own)),
    day as materialized (
      select * from unnest(${plainArray(days.map((d) => d.calendar))}::int[], ${plainArray(days.map((d) => d.day))}::date[],
        ${plainArray(days.map((d) => d.opensAt))}::timestamptz[], ${plainArray(days.map((d) => d.closesAt))}::timestamptz[])
        as d (calendar, day, opens_at, closes_at))`;

/** Pieces are few, and are looked up apart. */
const PIECES = trusted(`>= date '${FIRST_PIECE}'`);
const ASKED_DATES = trusted(
  `between (select min(day) from day where day < '${FIRST_PIECE}')
    and (select max(day) from day where day < '${FIRST_PIECE}')`,
);

/** The day `d` of a member's calendar on which the usage of a row counts. */
const dayOfCalendar = (day: string): Query => sql`
  day d on d.calendar = m.calendar
    and d.day = case when m.is_own then ${trusted(day)} else ${dateOfColumn(day)} end`;

/** Records on the plan on which each was fed, even if moved since. Those from before batches were stored have no place. */
const fedEntries = (ecpdId: string, ofLine: Query, onDays: Query): Query => sql`
      select m.counter, r.record_id, m.plan_code, r.device_id, d.day, r.taken_at, r.bytes, r.nth::int as nth, d.opens_at,
        d.closes_at, coalesce(b.place, 0) as place, b.lines_seen as seen, true as is_record
      from member m
      join usage_record r on r.ecpd_id = ${ecpdId} and r.account_name = m.account_name and r.service_name is null
        and r.day ${onDays} ${ofLine}
      left join fed_plan f on f.record_id = r.record_id
      join ${dayOfCalendar('r.day')}
      left join usage_batch b on b.ecpd_id = ${ecpdId} and b.batch_no = r.batch_no
      where coalesce(f.plan_code, r.plan_code) = m.plan_code`;

/** What moves added to a counter and took from it: each line is one step. */
const movedEntries = (ecpdId: string): Query => sql`
      select s.counter, null, max(s.plan_code), s.device_id, max(s.day), b.taken_at, sum(s.bytes),
        (dense_rank() over (partition by b.place order by s.device_id))::int, s.opens_at, s.closes_at, b.place, b.lines_seen, false
      from (
        select m.counter, m.plan_code, v.device_id, d.day, v.batch_no, d.opens_at, d.closes_at,
          case when v.to_plan = m.plan_code then v.bytes else -v.bytes end as bytes
        from member m
        join moved v on v.account_name = m.account_name and m.plan_code in (v.from_plan, v.to_plan)
        join ${dayOfCalendar('v.day')}) s
      join usage_batch b on b.ecpd_id = ${ecpdId} and b.batch_no = s.batch_no
      group by s.counter, s.device_id, s.opens_at, s.closes_at, b.place, b.taken_at, b.lines_seen`;

/** Everything that was counted, as `entry`: records in their order of arrival, and moves of usage between plans. */
export function countedEntries(ecpdId: string, replay: Replay): Query {
  const ofLine = replay.deviceId === undefined ? sql`` : sql`and device_id = ${replay.deviceId}::uuid`;
  return sql`
    ${askedRows(replay)},
    moved as materialized (
      select record_id, batch_no, account_name, device_id, day, bytes, from_plan, to_plan from usage_moved_record
      where ecpd_id = ${ecpdId} and account_name in (select account_name from member)
        and (day ${ASKED_DATES} or day ${PIECES}) ${ofLine}),
    fed_plan as materialized (
      select distinct on (record_id) record_id, from_plan as plan_code from moved order by record_id, batch_no),
    entry as materialized (${fedEntries(ecpdId, ofLine, ASKED_DATES)}
      union all${fedEntries(ecpdId, ofLine, PIECES)}
      union all${movedEntries(ecpdId)})`;
}

/** Records from before the order was stored follow the time at which they were taken; within one batch, their ids. */
export const IN_ORDER = trusted('place, taken_at, nth, record_id');

/** Usage that arrives this long after its cycle counts, but reaches no level. */
const IS_OVER = sql`u.taken_at >= u.closes_at + ${LATE_DAYS * DAY_MS}::float8 * interval '1 millisecond'`;

/** Whether an entry `u` can reach a level. A move can where it adds usage, and only in open cycles. */
export const MAY_REACH = sql`(not ${IS_OVER} and (u.is_record or (u.bytes > 0 and u.taken_at < u.closes_at)))`;

export const CAUSE = trusted(`case when not u.is_record then 'planChange' end as cause`);

export interface LedgerReplay extends Replay {
  /** Each line has a counter of its own. */
  readonly perLine: boolean;
  /** Reached by the first entry that makes the counter greater; with `onPassing`, only if it was not greater before. */
  readonly levels: readonly {
    readonly counter: number;
    readonly beyondBytes: number;
    readonly onPassing: boolean;
  }[];
}

interface ReplayedCrossing extends Replayed {
  readonly planCode: string;
  readonly deviceId: string;
}

/**
 * The levels that records and moves reached, in the order of counting. `peak` is the counter's maximum while levels
 * could be reached: if a move lifts the counter beyond a level in a closed cycle, the next record that still counts
 * reaches it.
 */
export const replayLedger = (
  db: Db,
  ecpdId: string,
  replay: LedgerReplay,
  limit: number,
): Promise<ReplayedCrossing[]> => {
  const { levels, perLine, from, to } = replay;
  const counter = sql`partition by counter, ${perLine ? sql`device_id` : sql`null::uuid`}, opens_at order by ${IN_ORDER}`;
  return db.many<ReplayedCrossing>(
    unprepared(sql`
    with ${countedEntries(ecpdId, replay)},
    level as materialized (
      select * from unnest(${plainArray(levels.map((l) => l.counter))}::int[],
        ${plainArray(levels.map((l) => l.beyondBytes))}::bigint[], ${levels.map((l) => l.onPassing)}::boolean[])
        with ordinality as l (counter, beyond_bytes, on_passing, level)),
    running as (
      select u.*, ${MAY_REACH} as may_reach, sum(bytes) over (${counter}) as total from entry u),
    peaked as (
      select *, max(total) filter (where may_reach) over (
        ${counter} rows between unbounded preceding and 1 preceding) as peak
      from running)
    select (l.level - 1)::int as level, u.record_id as "recordId", ${CAUSE}, u.plan_code as "planCode",
      u.device_id as "deviceId", u.taken_at as "takenAt", u.opens_at as "opensAt", u.closes_at as "closesAt",
      u.taken_at >= u.closes_at as late, (u.total - u.bytes)::float8 as "beforeBytes", u.total::float8 as "afterBytes"
    from peaked u
    join level l on l.counter = u.counter and u.total > l.beyond_bytes
      and case when l.on_passing then u.total - u.bytes else coalesce(u.peak, 0) end <= l.beyond_bytes
    where u.may_reach and ${dateOfColumn('u.day')} between ${from}::date and ${to}::date
    order by ${IN_ORDER}, l.level limit ${limit}`),
  );
};
