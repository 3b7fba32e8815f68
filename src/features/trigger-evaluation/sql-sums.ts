import type { Cycle, LocalDay } from '../../kernel/bill-cycle.ts';
import type { CountedDays } from '../../kernel/calendar.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, unprepared } from '../../platform/db/sql.ts';
import type { LevelKind } from '../firings/index.ts';
import { bytesOfMember, isDayOfMember, piecesColumn } from '../usage/index.ts';
import { type LeaderRow, leadersOf } from './levels/leaders.ts';

/** A sum for which a batch had records on a day, including records without bytes. */
export interface TouchedSum {
  readonly triggerId: string;
  readonly subject: string;
  readonly cycle: Cycle;
  readonly leaders: readonly LeaderRow[];
  /** The account of the records. */
  readonly accountName: string;
  readonly day: LocalDay;
}

/** Bytes of one batch for an account, day and plan. */
export interface Fed {
  readonly accountName: string;
  readonly planCode: string;
  readonly day: LocalDay;
  readonly bytes: number | bigint;
}

const fedRows = (fed: readonly Fed[]) => sql`
  unnest(${fed.map((f) => f.accountName)}::text[], ${fed.map((f) => f.planCode)}::text[],
    ${plainArray(fed.map((f) => f.day))}::date[], ${plainArray(fed.map((f) => f.bytes))}::numeric[])
    as f (account_name, plan_code, day, bytes)`;

export const listTouchedSums = (db: Db, ecpdId: string, fed: readonly Fed[]) =>
  db.many<TouchedSum>(
    unprepared(sql`
    with touched as materialized (
      select distinct s.trigger_id, s.subject, s.cycle, f.account_name, f.day
      from ${fedRows(fed)}
      join price_plan_sum s on s.ecpd_id = ${ecpdId} and s.account_name = f.account_name and s.plan_code = f.plan_code),
    led as materialized (
      select s.trigger_id, s.subject, s.cycle, ${leadersOf(ecpdId, sql`s`)} as leaders
      from (select distinct trigger_id, subject, cycle from touched) s)
    select t.trigger_id as "triggerId", t.subject, t.cycle, t.account_name as "accountName", t.day, l.leaders
    from touched t join led l using (trigger_id, subject, cycle)
    where l.leaders is not null`),
  );

/** Batches of different accounts wait for each other here: the second sees what the first added. */
export const lockSums = (db: Db, ecpdId: string, triggerIds: readonly string[]) =>
  db.exec(sql`
    select 1 from price_plan_sum_level
    where ecpd_id = ${ecpdId} and trigger_id = any(${plainArray(triggerIds)}::uuid[])
    order by trigger_id, subject, level_kind, level for no key update`);

/** A sum in the days of one of its cycles. */
export interface SumCycle extends CountedDays {
  readonly triggerId: string;
  readonly subject: string;
  readonly cycle: Cycle;
  readonly cycleAccount: string;
}

export interface SumTotal {
  readonly nth: number;
  /** Before this batch. */
  readonly beforeBytes: number;
  readonly afterBytes: number;
  /** The shared allowance of its members' active lines; null if no level is a percentage of it. */
  readonly poolBytes: number | null;
  readonly levels: readonly {
    readonly levelKind: LevelKind;
    readonly level: number;
    readonly beyondBytes: number | null;
    readonly onPassing: boolean;
  }[];
}

const askedRows = (sums: readonly SumCycle[]) => sql`
  unnest(${plainArray(sums.map((s) => s.triggerId))}::uuid[], ${sums.map((s) => s.subject)}::text[],
    ${sums.map((s) => s.cycle)}::text[], ${plainArray(sums.map((s) => s.from))}::date[],
    ${plainArray(sums.map((s) => s.to))}::date[], ${piecesColumn(sums)}::text[], ${sums.map((s) => s.cycleAccount)}::text[])
    with ordinality as a (trigger_id, subject, cycle, from_day, to_day, pieces, cycle_account, nth)`;

/**
 * `nth`, from 1, is the index in `sums`. Each account's days are those of its own zone. Many sums share accounts and
 * plans: each of these is added up and its lines counted once. The lookups for each sum are kept separate (`offset 0`)
 * and joined by numbers: the planner would guess one row and compare thousands pair by pair.
 */
export const listSumTotals = (db: Db, ecpdId: string, sums: readonly SumCycle[], fed: readonly Fed[]) =>
  db.many<SumTotal>(
    unprepared(sql`
    with fed as materialized (select * from ${fedRows(fed)}),
    asked as materialized (
      select a.*, l.levels, l.of_pool
      from ${askedRows(sums)}
      cross join lateral (
        select bool_or(l.beyond_bytes is null) as of_pool,
          json_agg(json_build_object('levelKind', l.level_kind, 'level', l.level, 'beyondBytes', l.beyond_bytes,
            'onPassing', l.on_passing) order by l.level) as levels
        from price_plan_sum_level l
        where l.ecpd_id = ${ecpdId} and l.trigger_id = a.trigger_id and l.subject = a.subject) l
      where l.levels is not null),
    member as materialized (
      select a.nth, a.of_pool, a.from_day, a.to_day, a.pieces::date[] as pieces, a.cycle_account, s.account_name, s.plan_code,
        dense_rank() over (
          order by s.account_name, s.plan_code, a.from_day, a.to_day, a.pieces, s.account_name = a.cycle_account) as span_no,
        dense_rank() over (order by s.account_name, s.plan_code) as pool_no
      from asked a
      cross join lateral (
        select s.account_name, s.plan_code from price_plan_sum s
        where s.ecpd_id = ${ecpdId} and s.trigger_id = a.trigger_id and s.subject = a.subject and s.cycle = a.cycle
        offset 0) s),
    span as materialized (
      select m.span_no, ${bytesOfMember(ecpdId)} as bytes, (
        select coalesce(sum(f.bytes), 0) from fed f
        where f.account_name = m.account_name and f.plan_code = m.plan_code and ${isDayOfMember('f.day')}) as added
      from (select distinct on (span_no) * from member) m),
    pool as materialized (
      select m.pool_no, (
        select p.allowance_bytes::numeric * (
          select count(*) from device d
          where d.ecpd_id = ${ecpdId} and d.account_name = m.account_name and d.service_plan = m.plan_code
            and d.state = 'active')
        from plan p where p.code = m.plan_code) as bytes
      from (select distinct on (pool_no) * from member where of_pool) m),
    total as (
      select m.nth, sum(s.bytes) as bytes, sum(s.added) as added, sum(p.bytes) as pool
      from member m
      join span s using (span_no)
      left join pool p using (pool_no)
      group by m.nth)
    select a.nth::int, a.levels, (t.bytes - t.added)::float8 as "beforeBytes", t.bytes::float8 as "afterBytes",
      case when a.of_pool then coalesce(t.pool, 0)::float8 end as "poolBytes"
    from asked a join total t using (nth)`),
  );

/** Which of the accounts belong to sums, and with which plans; `nth`, from 1, is the index in `sums`. */
export const listSumMembers = (
  db: Db,
  ecpdId: string,
  sums: readonly SumCycle[],
  accountNames: readonly string[],
) =>
  db.many<{ nth: number; accountName: string; planCode: string }>(
    unprepared(sql`
    select a.nth::int, s.account_name as "accountName", s.plan_code as "planCode"
    from ${askedRows(sums)}
    cross join lateral (
      select s.account_name, s.plan_code from price_plan_sum s
      where s.ecpd_id = ${ecpdId} and s.trigger_id = a.trigger_id and s.subject = a.subject and s.cycle = a.cycle
        and s.account_name = any(${accountNames}::text[])
      offset 0) s`),
  );

/**
 * Whose a firing of each sum is: the account whose cycle it is while the trigger watches it, then the first of its list. A
 * cycle outlasts the place of its account in the list.
 */
export const listOwners = (db: Db, ecpdId: string, sums: readonly SumCycle[]): Promise<readonly string[]> =>
  db.values<string>(
    unprepared(sql`
    select s.owner as "accountName"
    from ${askedRows(sums)}
    cross join lateral (
      select case when s.account_name = a.cycle_account then s.account_name else s.cycle_account end as owner
      from price_plan_sum s
      where s.ecpd_id = ${ecpdId} and s.trigger_id = a.trigger_id and s.subject = a.subject and s.cycle = a.cycle
      order by s.account_name <> a.cycle_account limit 1) s
    order by a.nth`),
  );
