import type { Db } from '../../../platform/db/db.ts';
import { sql, unprepared } from '../../../platform/db/sql.ts';
import type { Candidate } from './candidate.ts';

/** The cycles that arriving usage is compared with in this profile. */
export const listCycles = async (db: Db, ecpdId: string): Promise<string[]> =>
  (
    await db.many<{ cycle: string }>(sql`
      select cycle from (values ('Daily'), ('Weekly'), ('Monthly')) c (cycle)
      where exists (select from price_plan_level l where l.ecpd_id = ${ecpdId} and l.cycle = c.cycle)
        or exists (select from price_plan_sum s where s.ecpd_id = ${ecpdId} and s.cycle = c.cycle)`)
  ).map(({ cycle }) => cycle);

/** Stands for the account's own counter, because null is not equal to null. */
const NO_DEVICE = '00000000-0000-0000-0000-000000000000';

/**
 * The levels of lines and accounts that a batch has reached: those between what a counter was and is, and those that it was
 * beyond already when they were written. One statement for the whole batch; levels are found by their key, because a line
 * passes few of them however many there are.
 */
export const listReachedLevels = (db: Db, ecpdId: string) =>
  db.many<Candidate>(
    unprepared(sql`
    with behind as (
      delete from price_plan_behind b using staged_usage_change c
      where b.ecpd_id = ${ecpdId} and b.account_name = c.account_name
        and b.device_id = coalesce(c.device_id, ${NO_DEVICE}::uuid) and b.plan_code = c.plan_code
        and b.cycle = c.cycle and b.from_day = c.from_day and c.timeliness <> 'over'
      returning b.trigger_id, b.level_kind, b.level, b.account_name, c.device_id, b.plan_code, b.cycle, b.from_day,
        c.to_day, c.opens_at, c.closes_at, c.timeliness, c.before_bytes),
    reached as materialized (
      select row_number() over () as n, r.* from (
        select l.trigger_id, l.level_kind, l.level, l.beyond_bytes, c.account_name, c.device_id, c.plan_code, c.cycle,
          c.from_day, c.to_day, c.opens_at, c.closes_at, c.timeliness, c.before_bytes
        from staged_usage_change c
        cross join lateral (
          select * from price_plan_level l
          where l.ecpd_id = ${ecpdId} and l.account_name = c.account_name and l.plan_code = c.plan_code
            and l.cycle = c.cycle and l.scope = case when c.device_id is null then 'account' else 'device' end
            and l.beyond_bytes >= c.before_bytes and l.beyond_bytes < c.after_bytes) l
        where c.timeliness <> 'over' and c.after_bytes > c.before_bytes
        union all
        select b.trigger_id, b.level_kind, b.level, -1, b.account_name, b.device_id, b.plan_code, b.cycle, b.from_day,
          b.to_day, b.opens_at, b.closes_at, b.timeliness, b.before_bytes
        from behind b) r),
    crossing as (
      select distinct on (n) n, record_id, total, bytes from (
        select n, beyond_bytes, record_id, nth, bytes,
          before_bytes + sum(bytes) over (partition by n order by nth) as total
        from (
          -- Lines and accounts apart: each is then joined by equal columns, and not pair by pair.
          select r.n, r.beyond_bytes, r.before_bytes, u.record_id, u.nth, u.bytes
          from reached r
          join staged_usage_record u on u.device_id = r.device_id and u.account_name = r.account_name
            and u.plan_code = r.plan_code and u.day >= r.from_day and u.day < r.to_day
          where r.device_id is not null
          union all
          select r.n, r.beyond_bytes, r.before_bytes, u.record_id, u.nth, u.bytes
          from reached r
          join staged_usage_record u on u.account_name = r.account_name and u.plan_code = r.plan_code
            and u.day >= r.from_day and u.day < r.to_day
          where r.device_id is null) counted) running
      where total > beyond_bytes
      order by n, nth)
    select r.trigger_id as "triggerId", r.level_kind as "levelKind", r.level::float8 as level,
      case when r.device_id is null then 'account' else 'device' end as scope,
      coalesce(r.device_id::text, r.account_name) as subject, r.account_name as "accountName", r.cycle,
      r.opens_at as "opensAt", r.closes_at as "closesAt", r.timeliness = 'late' as late,
      (x.total - x.bytes)::float8 as "beforeBytes", x.total::float8 as "afterBytes",
      case r.level_kind when 'percent' then p.allowance_bytes::float8 * r.level / 100 else r.level end::float8
        as "thresholdBytes", x.record_id as "recordId"
    from reached r join crossing x using (n) join plan p on p.code = r.plan_code
    order by r.trigger_id, r.level`),
  );
