import type { Tenant } from '../../platform/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';

/**
 * How often these devices were changed from plan to plan since a moment, whoever asked for it; imports and activations
 * are no changes. Devices that never were are not in the answer.
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
        group by p.device_id`)
    ).map(({ deviceId, count }) => [deviceId, count]),
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
