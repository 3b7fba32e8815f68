import type { CountedDays } from '../../kernel/calendar.ts';
import { DEVICE_ID_KINDS, type DeviceIdColumns } from '../../kernel/device-id.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, trusted, unprepared } from '../../platform/db/sql.ts';
import { BYTES_IN_CYCLE, bytesOfMember, MONTHS_IN_CYCLE } from '../usage/index.ts';

interface AccountPlans {
  readonly accountName: string;
  readonly planCodes: readonly string[];
}

/** The active lines for each entry; `nth` is its index, and entries without lines are left out. */
export const listActiveLines = (db: Db, ecpdId: string, asked: readonly AccountPlans[]) => {
  const pairs = asked.flatMap(({ accountName, planCodes }, nth) =>
    planCodes.map((planCode) => ({ nth, accountName, planCode })),
  );
  return db.many<{ nth: number; deviceIds: string[] }>(
    unprepared(sql`
    select a.nth, array_agg(d.device_id order by d.device_id) as "deviceIds"
    from unnest(${plainArray(pairs.map(({ nth }) => nth))}::int[], ${pairs.map(({ accountName }) => accountName)}::text[],
      ${pairs.map(({ planCode }) => planCode)}::text[]) as a (nth, account_name, plan_code)
    join device d on d.ecpd_id = ${ecpdId} and d.account_name = a.account_name and d.service_plan = a.plan_code
      and d.state = 'active'
    group by a.nth`),
  );
};

/** The devices that are still active lines of the account on one of the plans, in the given order. */
export const listStillOnPlans = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  planCodes: readonly string[],
): Promise<readonly string[]> => {
  const found = await db.many<{ deviceId: string }>(
    unprepared(sql`
    select device_id as "deviceId" from device
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])
      and state = 'active' and service_plan = any(${planCodes}::text[])`),
  );
  const still = new Set(found.map(({ deviceId }) => deviceId));
  return deviceIds.filter((deviceId) => still.has(deviceId));
};

/** The identifiers of those devices that the account still has. */
export const listIdentifiers = (db: Db, { ecpdId, accountName }: Tenant, deviceIds: readonly string[]) =>
  db.many<DeviceIdColumns>(
    unprepared(sql`
    select ${trusted(DEVICE_ID_KINDS.join(', '))} from device
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])
    order by device_id`),
  );

interface PoolSpan extends CountedDays {
  readonly accountNames: readonly string[];
  readonly planCodes: readonly string[];
  /** The account whose cycle it is. */
  readonly cycleAccount: string;
}

/** What a pool's lines used in the days, and the shared allowance of its active lines. */
export const findPoolTotals = (
  db: Db,
  ecpdId: string,
  { accountNames, planCodes, cycleAccount, from, to, pieces }: PoolSpan,
): Promise<{ usedBytes: number; allowanceBytes: number }> =>
  db.one(
    unprepared(sql`
    select
      (select coalesce(sum(${bytesOfMember(ecpdId)}), 0)::float8 from (
        select account_name, plan_code, ${cycleAccount} as cycle_account, ${from}::date as from_day, ${to}::date as to_day,
          ${plainArray(pieces)}::date[] as pieces
        from unnest(${accountNames}::text[]) as a (account_name) cross join unnest(${planCodes}::text[]) as p (plan_code)) m)
        as "usedBytes",
      (select coalesce(sum(p.allowance_bytes), 0)::float8 from device d
        join plan p on p.code = d.service_plan
        where d.ecpd_id = ${ecpdId} and d.account_name = any(${accountNames}::text[]) and d.state = 'active'
          and d.service_plan = any(${planCodes}::text[])) as "allowanceBytes"`),
  );

interface UsedLine {
  readonly deviceId: string;
  readonly accountName: string;
  readonly planCode: string;
  readonly usedBytes: number;
  readonly allowanceBytes: number;
}

/** The active lines on some of a pool's plans, with their usage of the pool, in the order of moving. */
export const listUsedLines = (
  db: Db,
  ecpdId: string,
  { accountNames, planCodes, from, to, pieces }: PoolSpan,
  {
    onPlans,
    isUpward,
    limit,
  }: { readonly onPlans: readonly string[]; readonly isUpward: boolean; readonly limit: number },
) =>
  db.many<UsedLine>(
    unprepared(sql`
    select * from (
      select d.device_id as "deviceId", d.account_name as "accountName", d.service_plan as "planCode",
        coalesce(d.allowance_bytes, 0)::float8 as "allowanceBytes",
        coalesce((
          select sum(${BYTES_IN_CYCLE}) from usage_device_month m
          where m.ecpd_id = ${ecpdId} and m.account_name = d.account_name and m.device_id = d.device_id
            and m.month = ${MONTHS_IN_CYCLE}
            and m.plan_code = any(${planCodes}::text[])), 0)::float8 as "usedBytes"
      from (
        select o.*, p.allowance_bytes, ${from}::date as from_day, ${to}::date as to_day,
          ${plainArray(pieces)}::date[] as pieces
        from device o join plan p on p.code = o.service_plan
        where o.ecpd_id = ${ecpdId} and o.account_name = any(${accountNames}::text[]) and o.state = 'active'
          and o.service_plan = any(${onPlans}::text[])) d) line
    order by ${isUpward ? sql`"usedBytes" - "allowanceBytes" desc` : sql`"usedBytes"`}, "deviceId" limit ${limit}`),
  );
