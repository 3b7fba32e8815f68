import type { Cycle, LocalDay } from '../../kernel/bill-cycle.ts';
import type { Boundaries } from '../../kernel/calendar.ts';
import { NIL_UUID } from '../../kernel/uuid.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { onlyReachable } from '../../platform/db/reachable.ts';
import { sql, trusted, unprepared } from '../../platform/db/sql.ts';
import { BOUNDARIES } from '../accounts/index.ts';
import type { LevelKind } from '../firings/index.ts';
import type { CounterLevel } from './levels/level.ts';

/** The cycles that arriving usage is compared with in this profile. */
export const listCycles = (db: Db, ecpdId: string): Promise<string[]> =>
  db.values<string>(sql`
    select cycle from (values ('Daily'), ('Weekly'), ('Monthly')) c (cycle)
    where exists (select 1 from price_plan_level l where l.ecpd_id = ${ecpdId} and l.cycle = c.cycle)
      or exists (select 1 from price_plan_sum s where s.ecpd_id = ${ecpdId} and s.cycle = c.cycle)`);

/** A kind of cycle in which usage of some account is compared, with what decides where it ends. */
export interface ComparedCycle extends Boundaries {
  readonly cycle: Cycle;
}

/**
 * Covers all accounts: billing months close for each of them, other cycles only where levels use them. There are at
 * most as many rows as combinations of boundaries and kinds of cycle. A read across profiles that takes no locks.
 */
export const listComparedCycles = (db: Db) =>
  db.many<ComparedCycle>(sql`
    select ${BOUNDARIES}, 'Monthly' as cycle from account a where ${onlyReachable(db, 'a.ecpd_id')}
    union
    select ${BOUNDARIES}, l.cycle
    from account a join (select distinct ecpd_id, cycle from price_plan_level) l on l.ecpd_id = a.ecpd_id
    where ${onlyReachable(db, 'a.ecpd_id')}
    union
    select ${BOUNDARIES}, s.cycle
    from account a join (select distinct ecpd_id, cycle from price_plan_sum) s on s.ecpd_id = a.ecpd_id
    where ${onlyReachable(db, 'a.ecpd_id')}`);

/** All levels for the counters of an account's lines on a plan, or for its own counter. */
export interface Ladder extends Pick<CounterLevel, 'accountName' | 'planCode' | 'cycle' | 'scope'> {
  /** Ascending, without duplicates. */
  readonly beyondBytes: readonly number[];
}

export const listLadders = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.many<Ladder>(sql`
    select account_name as "accountName", plan_code as "planCode", cycle, scope,
      json_agg(distinct beyond_bytes order by beyond_bytes) as "beyondBytes"
    from price_plan_level where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[])
    group by account_name, plan_code, cycle, scope`);

/** A step of a ladder; several triggers may have a level there. */
export type LadderStep = Pick<CounterLevel, 'accountName' | 'planCode' | 'cycle' | 'scope'> & {
  readonly beyondBytes: number;
};

export interface ReachedLevel {
  /** The index of the query's input, from 1. */
  readonly nth: number;
  readonly triggerId: string;
  readonly levelKind: LevelKind;
  readonly level: number;
  readonly beyondBytes: number;
  /** The threshold as it was written: a percentage of an allowance need not be whole bytes. */
  readonly thresholdBytes: number;
  /** Fires only when it is passed. */
  readonly onPassing: boolean;
}

const THRESHOLD = trusted(
  `case l.level_kind when 'percent' then p.allowance_bytes::float8 * l.level / 100 else l.level end::float8`,
);

export const listLevelsAt = (db: Db, ecpdId: string, steps: readonly LadderStep[]) =>
  db.many<ReachedLevel>(
    unprepared(sql`
    select c.nth::int, l.trigger_id as "triggerId", l.level_kind as "levelKind", l.level::float8 as level,
      l.beyond_bytes::float8 as "beyondBytes", ${THRESHOLD} as "thresholdBytes", l.on_passing as "onPassing"
    from unnest(${arrayText(steps.map((s) => s.accountName))}::text[], ${arrayText(steps.map((s) => s.planCode))}::text[],
      ${arrayText(steps.map((s) => s.cycle))}::text[], ${arrayText(steps.map((s) => s.scope))}::text[],
      ${plainArray(steps.map((s) => s.beyondBytes))}::bigint[])
      with ordinality as c (account_name, plan_code, cycle, scope, beyond_bytes, nth)
    join price_plan_level l on l.ecpd_id = ${ecpdId} and l.account_name = c.account_name and l.plan_code = c.plan_code
      and l.cycle = c.cycle and l.scope = c.scope and l.beyond_bytes = c.beyond_bytes
    join plan p on p.code = c.plan_code
    order by c.nth, l.trigger_id, l.level_kind, l.level`),
  );

/** The accounts with counters that were beyond a level when it was written. */
export const listAccountsBehind = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.values<string>(sql`
    select a.name from unnest(${accountNames}::text[]) as a (name)
    where exists (select 1 from price_plan_behind b where b.ecpd_id = ${ecpdId} and b.account_name = a.name)`);

/** Represents the account's own counter, because null is not equal to null. */
const NO_DEVICE = NIL_UUID;

interface CounterInCycle {
  readonly accountName: string;
  readonly deviceId: string | undefined;
  readonly planCode: string;
  readonly cycle: Cycle;
  readonly from: LocalDay;
}

/** Deletes and returns the levels that these counters were already beyond: their next usage reaches each once. */
export const takeLevelsBehind = (db: Db, ecpdId: string, counters: readonly CounterInCycle[]) =>
  db.many<ReachedLevel>(
    unprepared(sql`
    with behind as (
      delete from price_plan_behind b
      using unnest(${arrayText(counters.map((c) => c.accountName))}::text[],
        ${plainArray(counters.map((c) => c.deviceId ?? NO_DEVICE))}::uuid[],
        ${arrayText(counters.map((c) => c.planCode))}::text[], ${arrayText(counters.map((c) => c.cycle))}::text[],
        ${plainArray(counters.map((c) => c.from))}::date[])
        with ordinality as c (account_name, device_id, plan_code, cycle, from_day, nth)
      where b.ecpd_id = ${ecpdId} and b.account_name = c.account_name and b.device_id = c.device_id
        and b.plan_code = c.plan_code and b.cycle = c.cycle and b.from_day = c.from_day
      returning c.nth, b.account_name, b.device_id, b.plan_code, b.cycle, b.trigger_id, b.level_kind, b.level)
    select b.nth::int, b.trigger_id as "triggerId", b.level_kind as "levelKind", b.level::float8 as level,
      l.beyond_bytes::float8 as "beyondBytes", ${THRESHOLD} as "thresholdBytes", l.on_passing as "onPassing"
    from behind b
    cross join lateral (
      select l.beyond_bytes, l.level_kind, l.level, l.on_passing from price_plan_level l
      where l.ecpd_id = ${ecpdId} and l.trigger_id = b.trigger_id and l.account_name = b.account_name
        and l.plan_code = b.plan_code and l.cycle = b.cycle and l.level_kind = b.level_kind and l.level = b.level
        and l.scope = case when b.device_id = ${NO_DEVICE}::uuid then 'account' else 'device' end
      limit 1) l
    join plan p on p.code = b.plan_code`),
  );

/** Notes counters that are beyond levels without having reached them: their next usage does. */
export const addLevelsBehind = (
  db: Db,
  ecpdId: string,
  levels: readonly (CounterInCycle & Pick<ReachedLevel, 'triggerId' | 'levelKind' | 'level'>)[],
) =>
  db.exec(
    unprepared(sql`
    insert into price_plan_behind (ecpd_id, account_name, device_id, plan_code, cycle, from_day, trigger_id, level_kind, level)
    select p.ecpd_id, l.* from profile p cross join unnest(${arrayText(levels.map((l) => l.accountName))}::text[],
      ${plainArray(levels.map((l) => l.deviceId ?? NO_DEVICE))}::uuid[], ${arrayText(levels.map((l) => l.planCode))}::text[],
      ${arrayText(levels.map((l) => l.cycle))}::text[], ${plainArray(levels.map((l) => l.from))}::date[],
      ${plainArray(levels.map((l) => l.triggerId))}::uuid[], ${arrayText(levels.map((l) => l.levelKind))}::text[],
      ${plainArray(levels.map((l) => l.level))}::bigint[]) l
    where p.ecpd_id = ${ecpdId}
    on conflict do nothing`),
  );
