import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql, unprepared } from '../../../platform/db/sql.ts';
import type { CycleAccount } from '../closing/schedule.ts';
import type { Members } from '../closing/sql-judge.ts';

export const listCycleAccounts = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.many<CycleAccount>(sql`
    select account_name as "accountName", time_zone as "timeZone", bill_cycle_day as "billCycleDay" from account
    where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[])`);

/** What the active lines of each of these may use together now; of those without any nothing is answered. */
export const listAllowances = async (
  db: Db,
  ecpdId: string,
  pools: readonly Members[],
): Promise<ReadonlyMap<number, number>> => {
  const members = pools.flatMap((pool, nth) => pool.map((member) => ({ nth, ...member })));
  const rows = await db.many<{ nth: number; bytes: number }>(
    unprepared(sql`
    select m.nth, sum(p.allowance_bytes)::float8 as bytes
    from unnest(${plainArray(members.map((m) => m.nth))}::int[], ${members.map((m) => m.accountName)}::text[],
      ${members.map((m) => m.planCode)}::text[]) as m (nth, account_name, plan_code)
    join device d on d.ecpd_id = ${ecpdId} and d.account_name = m.account_name and d.service_plan = m.plan_code
      and d.state = 'active'
    join plan p on p.code = m.plan_code and p.allowance_bytes > 0
    group by m.nth`),
  );
  return new Map(rows.map(({ nth, bytes }) => [nth, bytes]));
};

export interface DeviceIdentifiers {
  readonly deviceId: string;
  readonly deviceIds: readonly { readonly id: string; readonly kind: string }[];
}

export const listIdentifiers = (db: Db, ecpdId: string, deviceIds: readonly string[]) =>
  db.many<DeviceIdentifiers>(sql`
    select device_id as "deviceId", json_agg(json_build_object('id', value, 'kind', kind) order by kind) as "deviceIds"
    from device_identifier where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[])
    group by device_id`);
