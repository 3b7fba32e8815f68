import type { LocalDay } from '../../kernel/bill-cycle.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, unprepared } from '../../platform/db/sql.ts';
import type { CounterChange } from '../usage/index.ts';
import type { LineIds } from './sql-facts.ts';

export interface ThrottledLine extends LineIds {
  readonly accountName: string;
  readonly deviceId: string;
  readonly planCode: string;
  readonly fromDay: LocalDay;
  readonly throttleAtPercent: number;
  readonly percent: number;
}

/**
 * The lines of the batch that reached the throttling point of their plan and were not notified this month. A line that
 * left its plan or account is not throttled there. A line whose plan is shared in a group uses the pool's allowance,
 * not its own. Each line is returned once, however many changes name it, because it is on one plan.
 */
export const listThrottledLines = (db: Db, ecpdId: string, changes: readonly CounterChange[]) =>
  db.many<ThrottledLine>(
    unprepared(sql`
    select distinct on (c.account_name, d.device_id, c.from_day)
      c.account_name as "accountName", d.device_id as "deviceId", d.imei, d.msisdn, d.mdn, p.code as "planCode",
      to_char(c.from_day, 'YYYY-MM-DD') as "fromDay", p.throttle_at_percent as "throttleAtPercent",
      round(c.after_bytes * 100.0 / p.allowance_bytes, 2)::float8 as percent
    from unnest(${arrayText(changes.map((c) => c.accountName))}::text[],
      ${plainArray(changes.map((c) => c.deviceId ?? null))}::uuid[], ${arrayText(changes.map((c) => c.planCode))}::text[],
      ${plainArray(changes.map((c) => c.span.key))}::date[], ${plainArray(changes.map((c) => c.afterBytes))}::numeric[])
      as c (account_name, device_id, plan_code, from_day, after_bytes)
    join plan p on p.code = c.plan_code and p.allowance_bytes > 0
      and c.after_bytes * 100.0 >= p.allowance_bytes::numeric * p.throttle_at_percent
    join device d on d.ecpd_id = ${ecpdId} and d.account_name = c.account_name and d.device_id = c.device_id
      and d.service_plan = c.plan_code
    where not exists (
        select 1 from rate_plan_group_account a
        join rate_plan_group_plan m on m.ecpd_id = a.ecpd_id and m.rate_plan_group_id = a.rate_plan_group_id
          and m.plan_code = c.plan_code
        where a.ecpd_id = ${ecpdId} and a.account_name = c.account_name)
      and not exists (
        select 1 from price_plan_throttled t
        where t.ecpd_id = ${ecpdId} and t.subject = c.device_id::text and t.plan_code = c.plan_code
          and t.account_name = c.account_name and t.from_day = c.from_day)
    order by c.account_name, d.device_id, c.from_day, c.after_bytes desc`),
  );

/** Safe to repeat: a line that is already noted is no reason to refuse its usage. */
export const insertThrottledLines = (db: Db, ecpdId: string, lines: readonly ThrottledLine[]) =>
  db.exec(sql`
    insert into price_plan_throttled (ecpd_id, subject, plan_code, account_name, from_day)
    select p.ecpd_id, l.* from profile p cross join unnest(${lines.map((l) => l.deviceId)}::text[],
      ${lines.map((l) => l.planCode)}::text[], ${lines.map((l) => l.accountName)}::text[],
      ${plainArray(lines.map((l) => l.fromDay))}::date[]) l
    where p.ecpd_id = ${ecpdId}
    on conflict do nothing`);

/** The read across profiles takes no locks; each delete is for one profile. Returns how many it deleted. */
export async function deleteOldThrottled(db: Db, before: LocalDay, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string }>(sql`
    select distinct ecpd_id as "ecpdId" from (
      select ecpd_id from price_plan_throttled where from_day < ${before} limit ${limit}) oldest`);
  let deleted = 0;
  for (const { ecpdId } of old)
    deleted += await db.exec(sql`
      delete from price_plan_throttled where ecpd_id = ${ecpdId} and ctid in (
        select ctid from price_plan_throttled where ecpd_id = ${ecpdId} and from_day < ${before} limit ${limit})`);
  return deleted;
}
