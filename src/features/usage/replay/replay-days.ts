import type { LocalDay } from '../../../kernel/bill-cycle.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql, unprepared } from '../../../platform/db/sql.ts';
import { countedEntries, type Replay } from './replay-ledger.ts';

interface DaysReplay extends Replay {
  /** Each line has a counter of its own. */
  readonly perLine: boolean;
  /** The bytes that counters are measured against. The result is the counter with the highest share in one cycle. */
  readonly measures: readonly { readonly counter: number; readonly bytes: number }[];
  /** Return the counter with the lowest share instead. */
  readonly least: boolean;
}

interface CountedDay {
  readonly counter: number;
  /** Null where lines are counted together. */
  readonly deviceId: string | null;
  readonly day: LocalDay;
  readonly bytes: number;
}

/** Usage of one counter by day, for all days of the cycles; days without usage are left out. */
export const replayDays = (db: Db, ecpdId: string, replay: DaysReplay): Promise<CountedDay[]> => {
  const { measures, perLine, least } = replay;
  const line = perLine ? sql`u.device_id` : sql`null::uuid`;
  return db.many<CountedDay>(
    unprepared(sql`
    with ${countedEntries(ecpdId, replay)},
    measure as materialized (
      select * from unnest(${plainArray(measures.map((m) => m.counter))}::int[],
        ${plainArray(measures.map((m) => m.bytes))}::float8[]) as m (counter, bytes)),
    used as (
      select u.counter, ${line} as device_id, u.opens_at, sum(u.bytes) as bytes from entry u group by 1, 2, 3),
    chosen as materialized (
      select u.counter, u.device_id from used u left join measure m on m.counter = u.counter
      order by u.bytes / nullif(m.bytes, 0) ${least ? sql`asc` : sql`desc`} nulls last, u.counter, u.device_id limit 1)
    select c.counter, c.device_id as "deviceId", u.day, sum(u.bytes)::float8 as bytes
    from chosen c join entry u on u.counter = c.counter and (c.device_id is null or u.device_id = c.device_id)
    group by c.counter, c.device_id, u.day order by u.day`),
  );
};
