import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { type Query, sql } from '../../../platform/db/sql.ts';

/**
 * How often these devices were changed from plan to plan since a moment, whoever asked for it; imports and activations
 * are no changes, and what an earlier account has changed does not count. Devices that never were are not in the answer.
 */
export const countPlanChanges = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  from: Date,
): Promise<ReadonlyMap<string, number>> =>
  new Map(
    (
      await db.many<{ deviceId: string; count: number }>(sql`
        select p.device_id as "deviceId", count(*)::int as count
        from device_plan p join device d on d.ecpd_id = p.ecpd_id and d.device_id = p.device_id
        where p.ecpd_id = ${ecpdId} and p.device_id = any(${plainArray(deviceIds)}::uuid[])
          and d.account_name = ${accountName} and p.cause = 'change' and p.changed_at >= ${from}
          and (d.came_at is null or p.changed_at >= d.came_at)
        group by p.device_id`)
    ).map(({ deviceId, count }) => [deviceId, count]),
  );

/**
 * When these lines came to the account, of those that came from another one or were added to it by an activation. Lines of an import were there before:
 * a document tells what is, and not since when.
 */
export const listArrivals = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> =>
  new Map(
    (
      await db.many<{ deviceId: string; arrivedAt: Date }>(sql`
        select d.device_id as "deviceId", coalesce(d.came_at, d.created_on) as "arrivedAt"
        from device d
        left join lateral (
          select p.cause from device_plan p where p.ecpd_id = ${ecpdId} and p.device_id = d.device_id
          order by p.change_id limit 1) first on true
        where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName}
          and d.device_id = any(${plainArray(deviceIds)}::uuid[]) and (d.came_at is not null or first.cause = 'activation')`)
    ).map(({ deviceId, arrivedAt }) => [deviceId, arrivedAt]),
  );

/** A device at a moment. */
export interface DeviceMoment {
  readonly deviceId: string;
  readonly atMs: number;
}

/** The plans that devices of a profile had at moments; `nth` counts from 0. Moments before the first plan have none. */
export const listPlansAt = (db: Db, ecpdId: string, moments: readonly DeviceMoment[]) =>
  db.many<{ nth: number; planCode: string }>(sql`
    select asked.nth::int - 1 as nth, p.plan_code as "planCode"
    from unnest(${plainArray(moments.map(({ deviceId }) => deviceId))}::uuid[],
      ${plainArray(moments.map(({ atMs }) => atMs))}::bigint[]) with ordinality as asked (device_id, at_ms, nth)
    cross join lateral (
      select plan_code from device_plan p
      where p.ecpd_id = ${ecpdId} and p.device_id = asked.device_id
        and p.since <= 'epoch'::timestamptz + asked.at_ms * interval '1 millisecond'
      order by p.change_id desc limit 1) p`);

/**
 * In the statement that has `written` devices, or is about to delete them: those that are in another state, on another plan or
 * on it since another time than before. What was never on a plan is no line that anybody counts.
 */
export const lineChanges = (ecpdId: string, at: Date, written: Query) => sql`
    line as (
    insert into line_change (ecpd_id, account_name, device_id, at, was_state, was_plan, was_since, state, plan_code)
    select ${ecpdId}, l.account_name, l.device_id, ${at}, l.was_state, l.was_plan, l.was_since, l.state, l.service_plan
    from (${written}) l
    where (l.was_plan is not null or l.service_plan is not null)
      and (l.was_state, l.was_plan, l.was_since) is distinct from (l.state, l.service_plan, l.plan_since))`;

export const deleteLineChangesOfAccount = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.exec(sql`delete from line_change where ecpd_id = ${ecpdId} and account_name = ${accountName}`);

/** For who keeps usage: nothing older is looked up in them. The read across profiles takes no locks. Answers how many went. */
export async function deleteOldLineChanges(db: Db, before: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string }>(sql`
    select p.ecpd_id as "ecpdId" from profile p
    where exists (select from line_change c where c.ecpd_id = p.ecpd_id and c.at < ${before})
    order by p.ecpd_id limit ${limit}`);
  let deleted = 0;
  for (const { ecpdId } of old)
    deleted += await db.exec(sql`
      delete from line_change where ecpd_id = ${ecpdId} and change_no in (
        select change_no from line_change where ecpd_id = ${ecpdId} and at < ${before} order by at limit ${limit})`);
  return deleted;
}
