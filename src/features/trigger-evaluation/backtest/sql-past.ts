import { NIL_UUID } from '../../../kernel/uuid.ts';
import type { Db } from '../../../platform/db/db.ts';
import { type Query, sql, unprepared } from '../../../platform/db/sql.ts';
import { PLAN_THEN, recordsThen } from '../../usage/index.ts';
import type { Reads } from '../closings/evaluate-closing.ts';
import { type AccountKey, type AgedLine, type LinePage, membersOf } from '../closings/sql-usage.ts';

/**
 * The lines that were on the plans in one of the states when a cycle closed, in the order of their keys: those of now that have
 * not changed since, and those that had changed by the first change since. What was changed at that very time came after.
 */
const linesThen = (
  { ecpdId, accountName }: AccountKey,
  { planCodes, after, limit }: LinePage,
  { states, closesAt, where }: { states: readonly string[]; closesAt: Date; where: Query },
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
          and not exists (select from line_change c where c.ecpd_id = ${ecpdId} and c.account_name = ${accountName}
            and c.device_id = d.device_id and c.at >= ${closesAt})) l
      where ${where} order by device_id limit ${limit})) line
    order by device_id limit ${limit}`;

const listLineBytes: Reads['listLineBytes'] = (db, account, closed, page) => {
  const { closesAt } = closed;
  return db.many(
    unprepared(sql`
    with line as materialized (
      ${linesThen(account, page, { states: ['active'], closesAt, where: sql`was_since < ${closesAt}` })})
    select l.device_id as "deviceId", coalesce((
      select sum(r.bytes) from ${recordsThen(account.ecpdId, closed)}
        and r.account_name = ${account.accountName} and r.device_id = l.device_id and ${PLAN_THEN} = l.plan_code), 0)::float8 as bytes
    from line l order by l.device_id`),
  );
};

const sumBytes: Reads['sumBytes'] = async (db, ecpdId, members, closed) =>
  (
    await db.one<{ bytes: number }>(
      unprepared(sql`
      select coalesce(sum((
        select sum(r.bytes) from ${recordsThen(ecpdId, closed)}
          and r.account_name = m.account_name and ${PLAN_THEN} = m.plan_code)), 0)::float8 as bytes
      from ${membersOf(members)}`),
    )
  ).bytes;

/** What the active lines may use together now, without what has changed since. */
const sumAllowances: Reads['sumAllowances'] = async (db, ecpdId, members, { closesAt }) =>
  (
    await db.one<{ bytes: number }>(
      unprepared(sql`
      select coalesce(sum(p.allowance_bytes * (
        (select count(*) from device d where d.ecpd_id = ${ecpdId} and d.account_name = m.account_name
           and d.service_plan = m.plan_code and d.state = 'active')
        - coalesce((
          select sum((c.state = 'active' and c.plan_code = m.plan_code)::int) from line_change c
          where c.ecpd_id = ${ecpdId} and c.account_name = m.account_name and c.at >= ${closesAt}), 0)
        + coalesce((
          select sum((c.was_state = 'active' and c.was_plan = m.plan_code)::int) from line_change c
          where c.ecpd_id = ${ecpdId} and c.account_name = m.account_name and c.at >= ${closesAt}), 0))), 0)::float8 as bytes
      from ${membersOf(members)} join plan p on p.code = m.plan_code`),
    )
  ).bytes;

/** What was there when a cycle closed. */
export const THEN: Reads = { listLineBytes, sumBytes, sumAllowances };

/** Lines that had been on their plan since then or longer when a cycle closed. */
export const listLinesSince = (
  db: Db,
  account: AccountKey,
  { until, closesAt }: { until: Date; closesAt: Date },
  page: LinePage,
): Promise<readonly AgedLine[]> =>
  db.many<AgedLine>(
    unprepared(sql`
    select device_id as "deviceId", plan_since as "planSince" from (
      ${linesThen(account, page, {
        states: ['active', 'suspend'],
        closesAt,
        where: sql`was_since <= ${until}`,
      })}) line
    order by device_id`),
  );
