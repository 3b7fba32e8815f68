import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql, unprepared } from '../../../platform/db/sql.ts';
import { CAUSE, countedEntries, IN_ORDER, MAY_REACH, type Replay, type Replayed } from './counted-entries.ts';

export interface LedgerReplay extends Replay {
  /** Each line has a counter of its own. */
  readonly perLine: boolean;
  /** Reached by the first entry with which the counter is greater; on passing: if it was not greater before. */
  readonly levels: readonly {
    readonly counter: number;
    readonly beyondBytes: number;
    readonly onPassing: boolean;
  }[];
}

export interface ReplayedCrossing extends Replayed {
  readonly planCode: string;
  readonly deviceId: string;
}

/**
 * What records and moves have reached, in the order in which they were counted. `peak` is the most that the counter was when
 * something could be reached: one that a closed cycle was moved beyond is reached by the next record that still counts.
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
    where u.may_reach and u.day >= ${from}::date and u.day <= ${to}::date
    order by ${IN_ORDER}, l.level limit ${limit}`),
  );
};
