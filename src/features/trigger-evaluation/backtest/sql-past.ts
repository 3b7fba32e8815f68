import { NIL_UUID } from '../../../kernel/uuid.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { type Query, sql, unprepared } from '../../../platform/db/sql.ts';
import { BOUNDARIES } from '../../accounts/index.ts';
import { bytesOfMemberThen, PLAN_THEN, recordsThen } from '../../usage/index.ts';
import type { AgedLine, ClosedCycle, ClosingUsage, LinePage } from '../closings/evaluate-closing.ts';
import { membersIn, membersOf } from '../closings/sql-usage.ts';
import type { AccountPlan, CycleAccount } from '../levels/level.ts';

/**
 * The lines that were on the plans in one of the states when a cycle closed, ordered by key. Unchanged lines come from
 * their present state, others from their first change since. A change at exactly that time counts as later.
 */
const linesThen = (
  { ecpdId, account: { accountName }, closesAt }: ClosedCycle,
  { planCodes, after, limit }: LinePage,
  { states, where }: { states: readonly string[]; where: Query },
) => sql`
    select * from (
      (select device_id, was_plan as plan_code, was_since as plan_since from (
        select distinct on (device_id) device_id, was_state, was_plan, was_since from line_change
        where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id > ${after ?? NIL_UUID}::uuid
          and at >= ${closesAt}
        order by device_id, change_no) l
      where was_state = any(${states}::text[]) and was_plan = any(${planCodes}::text[]) and ${where}
      order by device_id limit ${limit})
      union all
      (select device_id, service_plan, plan_since from (
        select d.device_id, d.service_plan, d.plan_since, d.plan_since as was_since from device d
        where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id > ${after ?? NIL_UUID}::uuid
          and d.state = any(${states}::text[]) and d.service_plan = any(${planCodes}::text[])
          and not exists (select 1 from line_change c where c.ecpd_id = ${ecpdId} and c.account_name = ${accountName}
            and c.device_id = d.device_id and c.at >= ${closesAt})) l
      where ${where} order by device_id limit ${limit})) line
    order by device_id limit ${limit}`;

/**
 * Usage as it was when a cycle closed. `aged` holds the stays on a plan that have fired; it never grows beyond the
 * number of candidates.
 */
export const usageThen = (aged: Set<string>): ClosingUsage => ({
  listLineBytes: (db, closed, page) =>
    db.many(
      unprepared(sql`
    with line as materialized (
      ${linesThen(closed, page, { states: ['active'], where: sql`was_since < ${closed.closesAt}` })})
    select l.device_id as "deviceId", coalesce((
      select sum(r.bytes) from ${recordsThen(closed.ecpdId, closed)}
        and r.account_name = ${closed.account.accountName} and r.device_id = l.device_id
        and ${PLAN_THEN} = l.plan_code), 0)::float8 as bytes
    from line l order by l.device_id`),
    ),

  listAgedLines: (db, closed, { since }, page) =>
    db.many<AgedLine>(
      unprepared(sql`
    select device_id as "deviceId", plan_since as "planSince" from (
      ${linesThen(closed, page, { states: ['active', 'suspend'], where: sql`was_since <= ${since}` })}) line
    order by device_id`),
    ),

  isNewStay({ deviceId, planSince }) {
    const stay = `${deviceId} ${planSince.getTime()}`;
    return !aged.has(stay) && aged.add(stay) !== undefined;
  },

  sumBytes: async (db, closed, members) =>
    await db.value<number>(
      unprepared(sql`
      select coalesce(sum(${bytesOfMemberThen(closed.ecpdId, closed.closesAt)}), 0)::float8 as bytes
      from ${membersIn(closed, members)}`),
    ),

  /** The present shared allowance of the active lines, without the changes since. */
  sumAllowances: async (db, { ecpdId, closesAt }, members) =>
    await db.value<number>(
      unprepared(sql`
      select coalesce(sum(p.allowance_bytes * (
        (select count(*) from device d where d.ecpd_id = ${ecpdId} and d.account_name = m.account_name
           and d.service_plan = m.plan_code and d.state = 'active')
        + coalesce((
          select sum(coalesce(c.was_state = 'active' and c.was_plan = m.plan_code, false)::int
            - coalesce(c.state = 'active' and c.plan_code = m.plan_code, false)::int)
          from line_change c
          where c.ecpd_id = ${ecpdId} and c.account_name = m.account_name and c.at >= ${closesAt}), 0))), 0)::float8 as bytes
      from ${membersOf(members)} join plan p on p.code = m.plan_code`),
    ),
});

export const listCycleAccounts = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.many<CycleAccount>(sql`
    select account_name as "accountName", ${BOUNDARIES} from account a
    where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[])`);

/** The present shared allowance of the active lines of each pool, in the order of the list. */
export async function listPools(
  db: Db,
  ecpdId: string,
  pools: readonly (readonly AccountPlan[])[],
): Promise<readonly number[]> {
  const members = pools.flatMap((pool, nth) => pool.map((member) => ({ nth, ...member })));
  const found = await db.many<{ nth: number; bytes: number }>(
    unprepared(sql`
    select m.nth, sum(p.allowance_bytes)::float8 as bytes
    from unnest(${plainArray(members.map((m) => m.nth))}::int[], ${members.map((m) => m.accountName)}::text[],
      ${members.map((m) => m.planCode)}::text[]) as m (nth, account_name, plan_code)
    join device d on d.ecpd_id = ${ecpdId} and d.account_name = m.account_name and d.service_plan = m.plan_code
      and d.state = 'active'
    join plan p on p.code = m.plan_code
    group by m.nth`),
  );
  const bytes = new Map(found.map((pool) => [pool.nth, pool.bytes]));
  return pools.map((_, nth) => bytes.get(nth) ?? 0);
}

interface DeviceIdentifiers {
  readonly deviceId: string;
  readonly deviceIds: readonly { readonly id: string; readonly kind: string }[];
}

export const listIdentifiers = (db: Db, ecpdId: string, deviceIds: readonly string[]) =>
  db.many<DeviceIdentifiers>(sql`
    select device_id as "deviceId", json_agg(json_build_object('id', value, 'kind', kind) order by kind) as "deviceIds"
    from device_identifier where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[])
    group by device_id`);
