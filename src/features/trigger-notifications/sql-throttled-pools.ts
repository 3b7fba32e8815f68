import type { LocalDay } from '../../kernel/bill-cycle.ts';
import { type Boundaries, type CountedDays, calendarOf } from '../../kernel/calendar.ts';
import type { Ctx } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, unprepared } from '../../platform/db/sql.ts';
import { BOUNDARIES } from '../accounts/index.ts';
import { bytesOfMember, type CountedUsage, piecesColumn, planOf } from '../usage/index.ts';

export interface ThrottledPool {
  readonly accountName: string;
  readonly planCode: string;
  readonly throttleAtPercent: number;
  readonly percent: number;
}

interface TouchedPool extends Boundaries {
  readonly groupId: number;
  readonly cycleAccount: string;
}

/** An account and plan with usage of the batch in an open month. */
interface Used {
  readonly accountName: string;
  readonly planCode: string;
}

/** The pools that the batch used and that have a listener, with the boundaries of their first account. */
const listTouchedPools = (db: Db, ecpdId: string, used: readonly Used[], accountNames: readonly string[]) =>
  db.many<TouchedPool>(
    unprepared(sql`
    select g.rate_plan_group_id::float8 as "groupId", f.*
    from (
      select distinct a.rate_plan_group_id
      from unnest(${used.map((u) => u.accountName)}::text[], ${used.map((u) => u.planCode)}::text[])
        as c (account_name, plan_code)
      join rate_plan_group_account a on a.ecpd_id = ${ecpdId} and a.account_name = c.account_name
      join rate_plan_group_plan m on m.ecpd_id = ${ecpdId} and m.rate_plan_group_id = a.rate_plan_group_id
        and m.plan_code = c.plan_code
      where exists (
        select 1 from rate_plan_group_account l
        where l.ecpd_id = ${ecpdId} and l.rate_plan_group_id = a.rate_plan_group_id
          and l.account_name = any(${accountNames}::text[]))) g
    cross join lateral (
      select a.account_name as "cycleAccount", ${BOUNDARIES} from rate_plan_group_account o
      join account a on a.ecpd_id = ${ecpdId} and a.account_name = o.account_name
      where o.ecpd_id = ${ecpdId} and o.rate_plan_group_id = g.rate_plan_group_id
      order by o.account_name limit 1) f`),
  );

/** Batches of different accounts of a pool wait for each other here: the second sees what the first added. */
const lockPools = (db: Db, ecpdId: string, pools: readonly TouchedPool[]) =>
  db.exec(sql`
    select pg_advisory_xact_lock(hashtextextended('throttling ' || ${ecpdId} || ' ' || id, 0))
    from (select id from unnest(${plainArray(pools.map(({ groupId }) => groupId))}::bigint[]) as g (id) order by id) o`);

const insertReachedPools = (
  db: Db,
  ecpdId: string,
  pools: readonly (CountedDays & {
    readonly groupId: number;
    readonly cycleAccount: string;
    readonly key: LocalDay;
  })[],
  accountNames: readonly string[],
) =>
  db.many<ThrottledPool>(
    unprepared(sql`
    with member as materialized (
      select k.group_id, k.cycle_account, k.from_day, k.to_day, k.pieces::date[] as pieces, k.key_day, a.account_name, m.plan_code
      from unnest(${plainArray(pools.map((p) => p.groupId))}::bigint[], ${plainArray(pools.map((p) => p.from))}::date[],
        ${plainArray(pools.map((p) => p.to))}::date[], ${piecesColumn(pools)}::text[], ${plainArray(pools.map((p) => p.key))}::date[],
        ${pools.map((p) => p.cycleAccount)}::text[]) as k (group_id, from_day, to_day, pieces, key_day, cycle_account)
      join rate_plan_group_account a on a.ecpd_id = ${ecpdId} and a.rate_plan_group_id = k.group_id
      join rate_plan_group_plan m on m.ecpd_id = ${ecpdId} and m.rate_plan_group_id = k.group_id),
    used as (
      select m.group_id, sum(${bytesOfMember(ecpdId)}) as bytes from member m group by 1),
    pool as (
      select m.group_id, sum(p.allowance_bytes) as bytes from member m
      join device d on d.ecpd_id = ${ecpdId} and d.account_name = m.account_name and d.service_plan = m.plan_code
        and d.state = 'active'
      join plan p on p.code = m.plan_code
      group by 1 having sum(p.allowance_bytes) > 0),
    reached as (
      select m.group_id, m.account_name, m.plan_code, m.key_day, p.throttle_at_percent,
        used.bytes * 100.0 / pool.bytes as percent
      from member m
      join used using (group_id)
      join pool using (group_id)
      join plan p on p.code = m.plan_code and used.bytes * 100.0 >= pool.bytes * p.throttle_at_percent
      where m.account_name = any(${accountNames}::text[])),
    noted as (
      insert into price_plan_throttled (ecpd_id, subject, plan_code, account_name, from_day)
      select p.ecpd_id, 'group ' || group_id, plan_code, account_name, key_day
      from reached join profile p on p.ecpd_id = ${ecpdId} order by 2, 3, 4, 5
      on conflict do nothing returning subject, plan_code, account_name)
    select r.account_name as "accountName", r.plan_code as "planCode", r.throttle_at_percent as "throttleAtPercent",
      round(r.percent, 2)::float8 as percent
    from reached r
    join noted t on t.subject = 'group ' || r.group_id and t.plan_code = r.plan_code and t.account_name = r.account_name
    order by 1, 2`),
  );

/** Each plan of a pool throttles its lines at its own percentage of the pool's allowance. */
export async function insertThrottledPools(
  { db, now }: Ctx,
  ecpdId: string,
  { records, cycleAt }: CountedUsage,
  accountNames: readonly string[],
): Promise<readonly ThrottledPool[]> {
  const used = new Map<string, Used>();
  for (const record of records) {
    const { accountName, day } = record;
    if (cycleAt(accountName, day, 'Monthly').timeliness === 'open')
      used.set(`${accountName} ${planOf(record)}`, { accountName, planCode: planOf(record) });
  }
  const touched = await listTouchedPools(db, ecpdId, [...used.values()], accountNames);
  if (touched.length === 0) return [];
  await lockPools(db, ecpdId, touched);
  const nowMs = now().getTime();
  const pools = touched.map((pool) => {
    const { cycleAt, dayAt, daysOf } = calendarOf(pool);
    const span = cycleAt('Monthly', nowMs);
    return { ...pool, ...daysOf(span), key: dayAt(span.fromMs) };
  });
  return insertReachedPools(db, ecpdId, pools, accountNames);
}
