import type { Cycle, LocalDay } from '../../../kernel/bill-cycle.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql, unprepared } from '../../../platform/db/sql.ts';
import type { LevelKind } from '../../firings/index.ts';

/** A sum that a batch added to, on a day. */
export interface TouchedSum {
  readonly triggerId: string;
  readonly subject: string;
  readonly cycle: Cycle;
  readonly cycleAccount: string;
  readonly timeZone: string;
  readonly billCycleDay: number;
  readonly day: LocalDay;
}

export const listTouchedSums = (db: Db, ecpdId: string) =>
  db.many<TouchedSum>(
    unprepared(sql`
    select distinct s.trigger_id as "triggerId", s.subject, s.cycle, s.cycle_account as "cycleAccount",
      a.time_zone as "timeZone", a.bill_cycle_day as "billCycleDay", u.day
    from (select distinct account_name, plan_code, day from staged_usage_record where bytes > 0) u
    join price_plan_sum s on s.ecpd_id = ${ecpdId} and s.account_name = u.account_name and s.plan_code = u.plan_code
    join account a on a.ecpd_id = ${ecpdId} and a.account_name = s.cycle_account`),
  );

/** Batches of different accounts meet here: who comes second sees what the first has added. */
export const lockSums = (db: Db, ecpdId: string, triggerIds: readonly string[]) =>
  db.exec(sql`
    select from price_plan_sum_level
    where ecpd_id = ${ecpdId} and trigger_id = any(${plainArray(triggerIds)}::uuid[])
    order by trigger_id, subject, level_kind, level for no key update`);

/** A sum in the days of one of its cycles. */
export interface SumCycle {
  readonly triggerId: string;
  readonly subject: string;
  readonly cycle: Cycle;
  readonly from: LocalDay;
  readonly to: LocalDay;
}

export interface SumTotal {
  readonly nth: number;
  readonly afterBytes: number;
  /** What this batch added. */
  readonly addedBytes: number;
  /** What the active lines of its members may use together; null where no level is a percentage of it. */
  readonly poolBytes: number | null;
  readonly levels: readonly {
    readonly levelKind: LevelKind;
    readonly level: number;
    readonly beyondBytes: number | null;
    readonly onPassing: boolean;
  }[];
}

/**
 * `nth`, from 1, is the place in what was asked for. Every account's days are those of its own zone. Many sums have the
 * same accounts and plans: each is added up and its lines are counted once.
 */
export const listSumTotals = (db: Db, ecpdId: string, sums: readonly SumCycle[]) =>
  db.many<SumTotal>(
    unprepared(sql`
    with asked as materialized (
      select * from unnest(${plainArray(sums.map((s) => s.triggerId))}::uuid[], ${sums.map((s) => s.subject)}::text[],
        ${sums.map((s) => s.cycle)}::text[], ${plainArray(sums.map((s) => s.from))}::date[],
        ${plainArray(sums.map((s) => s.to))}::date[]) with ordinality
        as a (trigger_id, subject, cycle, from_day, to_day, nth)),
    level as materialized (
      select a.nth, bool_or(l.beyond_bytes is null) as of_pool,
        json_agg(json_build_object('levelKind', l.level_kind, 'level', l.level, 'beyondBytes', l.beyond_bytes,
          'onPassing', l.on_passing) order by l.level) as levels
      from asked a
      join price_plan_sum_level l on l.ecpd_id = ${ecpdId} and l.trigger_id = a.trigger_id and l.subject = a.subject
      group by a.nth),
    member as materialized (
      select a.nth, l.of_pool, a.from_day, a.to_day, s.account_name, s.plan_code
      from asked a
      join level l using (nth)
      join price_plan_sum s on s.ecpd_id = ${ecpdId} and s.trigger_id = a.trigger_id and s.subject = a.subject
        and s.cycle = a.cycle),
    span as materialized (
      select m.account_name, m.plan_code, m.from_day, m.to_day, (
        select coalesce(sum(c.bytes), 0) from usage_account_day c
        where c.ecpd_id = ${ecpdId} and c.account_name = m.account_name and c.plan_code = m.plan_code
          and c.day >= m.from_day and c.day < m.to_day) as bytes
      from member m group by 1, 2, 3, 4),
    fed as materialized (
      select account_name, plan_code, day, sum(bytes) as bytes from staged_usage_record group by 1, 2, 3),
    pool as materialized (
      select m.account_name, m.plan_code, p.allowance_bytes * (
        select count(*) from device d
        where d.ecpd_id = ${ecpdId} and d.account_name = m.account_name and d.service_plan = m.plan_code
          and d.state = 'active') as bytes
      from (select distinct account_name, plan_code from member where of_pool) m join plan p on p.code = m.plan_code),
    added as (
      select m.nth, sum(f.bytes) as bytes
      from member m join fed f on f.account_name = m.account_name and f.plan_code = m.plan_code
        and f.day >= m.from_day and f.day < m.to_day
      group by m.nth)
    select l.nth::int, l.levels, t.bytes::float8 as "afterBytes", coalesce(a.bytes, 0)::float8 as "addedBytes",
      case when l.of_pool then coalesce(t.pool, 0)::float8 end as "poolBytes"
    from level l
    join (
      select m.nth, sum(s.bytes) as bytes, sum(p.bytes) as pool
      from member m
      join span s using (account_name, plan_code, from_day, to_day)
      left join pool p using (account_name, plan_code)
      group by m.nth) t using (nth)
    left join added a using (nth)`),
  );

/** The first record of a sum with which it is beyond so many bytes, and what the sum was with it. */
export interface SumCrossing {
  readonly nth: number;
  readonly recordId: string;
  readonly totalBytes: number;
  readonly bytes: number;
}

export const listSumCrossings = (
  db: Db,
  ecpdId: string,
  asked: readonly (SumCycle & { readonly beforeBytes: number; readonly beyondBytes: number })[],
) =>
  db.many<SumCrossing>(
    unprepared(sql`
    select distinct on (nth) nth::int, record_id as "recordId", total::float8 as "totalBytes", bytes::float8 as bytes
    from (
      select a.nth, a.beyond_bytes, u.record_id, u.nth as place, u.bytes,
        a.before_bytes + sum(u.bytes) over (partition by a.nth order by u.nth) as total
      from unnest(${plainArray(asked.map((s) => s.triggerId))}::uuid[], ${asked.map((s) => s.subject)}::text[],
        ${asked.map((s) => s.cycle)}::text[], ${plainArray(asked.map((s) => s.from))}::date[],
        ${plainArray(asked.map((s) => s.to))}::date[], ${plainArray(asked.map((s) => s.beforeBytes))}::bigint[],
        ${plainArray(asked.map((s) => s.beyondBytes))}::bigint[]) with ordinality
        as a (trigger_id, subject, cycle, from_day, to_day, before_bytes, beyond_bytes, nth)
      join price_plan_sum s on s.ecpd_id = ${ecpdId} and s.trigger_id = a.trigger_id and s.subject = a.subject
        and s.cycle = a.cycle
      join staged_usage_record u on u.account_name = s.account_name and u.plan_code = s.plan_code
        and u.day >= a.from_day and u.day < a.to_day) running
    where total > beyond_bytes
    order by nth, place`),
  );
