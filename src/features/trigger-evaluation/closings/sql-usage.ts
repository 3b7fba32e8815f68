import { NIL_UUID } from '../../../kernel/uuid.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { type Query, sql, unprepared } from '../../../platform/db/sql.ts';
import { BYTES_IN_CYCLE, bytesOfMember, MONTHS_IN_CYCLE } from '../../usage/index.ts';
import type { AccountPlan } from '../levels/level.ts';
import type { AgedLine, ClosedCycle, ClosingUsage, LinePage } from './evaluate-closing.ts';

const ACTIVE = sql`d.state = 'active'`;
/** A suspended line stays on its plan and ages there. Written so that the index of either state is used. */
const HELD = sql`(d.state = 'active' or d.state = 'suspend')`;

/** The lines on the plans now. */
const linesOn = (
  { ecpdId, account: { accountName } }: ClosedCycle,
  { planCodes, after }: LinePage,
  state: Query,
) => sql`
  d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and ${state}
  and d.service_plan = any(${planCodes}::text[]) and d.device_id > ${after ?? NIL_UUID}::uuid`;

export const membersOf = (members: readonly AccountPlan[]) => sql`
  unnest(${members.map((m) => m.accountName)}::text[], ${members.map((m) => m.planCode)}::text[])
    as m (account_name, plan_code)`;

/** The same in a cycle, to add up usage. Each account's days are those of its own zone. */
export const membersIn = (
  { account, from, to, pieces }: ClosedCycle,
  members: readonly AccountPlan[],
) => sql`(
  select m.*, ${account.accountName} as cycle_account, ${from}::date as from_day, ${to}::date as to_day,
    ${plainArray(pieces)}::date[] as pieces from ${membersOf(members)}) m`;

/** Usage as it is now. */
export const USAGE_NOW: ClosingUsage = {
  listLineBytes: (db, closed, page) =>
    db.many(
      unprepared(sql`
    with line as materialized (
      select d.device_id, d.service_plan, ${closed.from}::date as from_day, ${closed.to}::date as to_day,
        ${plainArray(closed.pieces)}::date[] as pieces from device d
      where ${linesOn(closed, page, ACTIVE)} and d.plan_since < ${closed.closesAt}
      order by d.device_id limit ${page.limit})
    select d.device_id as "deviceId", coalesce((
      select sum(${BYTES_IN_CYCLE}) from usage_device_month m
      where m.ecpd_id = ${closed.ecpdId} and m.account_name = ${closed.account.accountName} and m.device_id = d.device_id
        and m.month = ${MONTHS_IN_CYCLE}
        and m.plan_code = d.service_plan), 0)::float8 as bytes
    from line d order by d.device_id`),
    ),

  /** Also stores the lines, so that each stay fires once. */
  listAgedLines: (db, closed, { billCycles, since }, page) =>
    db.many<AgedLine>(sql`
      with line as materialized (
        select d.device_id, d.plan_since from device d
        where ${linesOn(closed, page, HELD)} and d.plan_since <= ${since} and not exists (
          select 1 from price_plan_aged a where a.ecpd_id = ${closed.ecpdId} and a.device_id = d.device_id
            and a.trigger_id = ${closed.triggerId} and a.bill_cycles = ${billCycles} and a.since = d.plan_since)
        order by d.device_id limit ${page.limit}),
      known as (
        insert into price_plan_aged as a (ecpd_id, device_id, trigger_id, bill_cycles, since)
        select p.ecpd_id, device_id, ${closed.triggerId}::uuid, ${billCycles}, plan_since
        from line join profile p on p.ecpd_id = ${closed.ecpdId} order by device_id
        on conflict (ecpd_id, device_id, trigger_id, bill_cycles) do update set since = excluded.since)
      select device_id as "deviceId", plan_since as "planSince" from line order by device_id`),

  isNewStay: () => true,

  sumBytes: async (db, closed, members) =>
    await db.value<number>(
      unprepared(sql`
      select coalesce(sum(${bytesOfMember(closed.ecpdId)}), 0)::float8 as bytes from ${membersIn(closed, members)}`),
    ),

  sumAllowances: async (db, { ecpdId }, members) =>
    await db.value<number>(
      unprepared(sql`
      select coalesce(sum(p.allowance_bytes), 0)::float8 as bytes from ${membersOf(members)}
      join device d on d.ecpd_id = ${ecpdId} and d.account_name = m.account_name and d.service_plan = m.plan_code
        and d.state = 'active'
      join plan p on p.code = m.plan_code`),
    ),
};
