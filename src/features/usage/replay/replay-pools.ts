import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { type Query, sql, trusted, unprepared } from '../../../platform/db/sql.ts';
import { dateOfColumn } from '../sql-cycle.ts';
import { CAUSE, countedEntries, IN_ORDER, MAY_REACH, type Replay, type Replayed } from './replay-ledger.ts';

interface PoolReplay extends Replay {
  /** Percentages of the allowance that the active lines of a counter's members share, which changes with the lines. */
  readonly levels: readonly { readonly counter: number; readonly percent: number }[];
  /** Cycles that closed by this time are compared once more at their end. */
  readonly now: Date;
}

/** Without record or cause, it was reached when the cycle closed, because the pool had shrunk since the last record. */
interface ReplayedPercent extends Replayed {
  readonly thresholdBytes: number;
}

/** How each change of lines changed the shared allowance of a counter, and the allowance before the first change. */
const poolChanges = (ecpdId: string): Query => sql`
    part as materialized (
      select m.counter, m.account_name, m.plan_code, p.allowance_bytes
      from member m join plan p on p.code = m.plan_code and p.allowance_bytes > 0),
    step as materialized (
      select counter, change_no, sum(bytes) as bytes from (
        select p.counter, c.change_no, p.allowance_bytes as bytes from part p
        join line_change c on c.ecpd_id = ${ecpdId} and c.account_name = p.account_name
          and c.plan_code = p.plan_code and c.state = 'active'
        union all
        select p.counter, c.change_no, -p.allowance_bytes from part p
        join line_change c on c.ecpd_id = ${ecpdId} and c.account_name = p.account_name
          and c.was_plan = p.plan_code and c.was_state = 'active') each
      group by counter, change_no),
    first_pool as materialized (
      select m.counter, coalesce(max(n.bytes), 0) - coalesce(max(s.bytes), 0) as bytes
      from (select distinct counter from member) m
      left join (
        select p.counter, sum(p.allowance_bytes) as bytes from part p
        join device d on d.ecpd_id = ${ecpdId} and d.account_name = p.account_name and d.service_plan = p.plan_code
          and d.state = 'active'
        group by p.counter) n on n.counter = m.counter
      left join (select counter, sum(bytes) as bytes from step group by counter) s on s.counter = m.counter
      group by m.counter)`;

const lastChangeBefore = (ecpdId: string, at: Query) => sql`
  coalesce((select l.change_no from line_change l where l.ecpd_id = ${ecpdId} and l.at < ${at}
            order by l.at desc, l.change_no desc limit 1), 0)`;

/**
 * Records, moves, ends of cycles and changes of lines, as `moment`. A record comes after the changes that its batch had
 * seen; if that was not stored, after the changes made before it was taken. The end of a cycle comes before anything
 * taken or changed at the same time. The newest stored change can be an earlier one than a batch saw, because changes
 * are deleted with their account and with age; `max` ensures that later entries have seen everything that earlier ones
 * saw.
 */
const moments = (ecpdId: string, now: Date): Query => sql`
    unplaced as materialized (
      select taken_at, ${lastChangeBefore(ecpdId, sql`u.taken_at`)} as seen
      from (select distinct taken_at from entry where seen is null) u),
    closing as (
      select m.counter, d.opens_at, d.closes_at, max(d.day) as day
      from (select distinct counter, calendar from member) m join day d on d.calendar = m.calendar
      where d.closes_at <= ${now}
      group by m.counter, d.opens_at, d.closes_at),
    placed as (
      select r.counter, coalesce(r.seen, u.seen) as seen, r.place, r.taken_at, r.nth, r.record_id, r.bytes, r.day, r.opens_at,
        r.closes_at, r.is_record
      from entry r left join unplaced u on r.seen is null and u.taken_at = r.taken_at
      union all
      select c.counter, ${lastChangeBefore(ecpdId, sql`c.closes_at`)}, coalesce((
          select b.place from usage_batch b where b.ecpd_id = ${ecpdId} and b.taken_at < c.closes_at
          order by b.taken_at desc, b.place desc limit 1), 0),
        c.closes_at, -1, null, 0, c.day, c.opens_at, c.closes_at, true
      from closing c),
    moment as (
      select counter, max(seen) over (partition by counter order by ${IN_ORDER}) as seen, place, taken_at, nth, record_id,
        bytes, day, opens_at, closes_at, is_record, 0 as pool_bytes
      from placed
      union all
      select s.counter, s.change_no, -1, null, null, null, 0, null, null, null, null, s.bytes from step s)`;

const ORDER = trusted(`seen, ${IN_ORDER.text}`);

/**
 * Which percentages of their pools counters reached, and how. A percentage is reached by the first record or end of a
 * cycle at which the counter is at least that share of the pool at that time.
 */
export const replayPools = (
  db: Db,
  ecpdId: string,
  replay: PoolReplay,
  limit: number,
): Promise<ReplayedPercent[]> => {
  const { levels, now, from, to } = replay;
  return db.many<ReplayedPercent>(
    unprepared(sql`
    with ${countedEntries(ecpdId, replay)},
    level as materialized (
      select * from unnest(${plainArray(levels.map((l) => l.counter))}::int[],
        ${plainArray(levels.map((l) => l.percent))}::float8[]) with ordinality as l (counter, percent, level)),
    ${poolChanges(ecpdId)},
    ${moments(ecpdId, now)},
    pooled as (
      select m.*, (f.bytes + sum(m.pool_bytes) over (partition by m.counter order by ${ORDER}))::float8 as pool
      from moment m join first_pool f on f.counter = m.counter),
    running as (
      select *, sum(bytes) over (partition by counter, opens_at order by ${ORDER}) as total
      from pooled where opens_at is not null),
    reached as (
      select distinct on (l.level, u.opens_at) u.*, l.level, u.pool * l.percent / 100 as threshold
      from running u join level l on l.counter = u.counter
      where u.pool > 0 and u.total >= u.pool * l.percent / 100 and ${MAY_REACH}
      order by l.level, u.opens_at, ${ORDER})
    select (level - 1)::int as level, record_id as "recordId", ${CAUSE}, taken_at as "takenAt", opens_at as "opensAt",
      closes_at as "closesAt", record_id is not null and taken_at >= closes_at as late,
      (total - bytes)::float8 as "beforeBytes", total::float8 as "afterBytes", threshold as "thresholdBytes"
    from reached u where ${dateOfColumn('day')} between ${from}::date and ${to}::date
    order by ${ORDER}, level limit ${limit}`),
  );
};
