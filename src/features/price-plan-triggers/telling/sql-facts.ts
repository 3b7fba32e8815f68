import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { LineIds, PlanWords } from './facts.ts';

/** Of lines that were deleted, what they had when they were: usage of their time may still come. */
export const listLineIds = (db: Db, ecpdId: string, deviceIds: readonly string[]) =>
  db.many<LineIds & { deviceId: string }>(sql`
    select device_id as "deviceId", imei, msisdn, mdn from device
    where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[])
    union all
    select device_id, max(value) filter (where kind = 'imei'), max(value) filter (where kind = 'msisdn'),
      max(value) filter (where kind = 'mdn')
    from (
      select distinct on (o.device_id, o.kind) o.device_id, o.kind, o.value from earlier_owner o
      where o.ecpd_id = ${ecpdId} and o.device_id = any(${plainArray(deviceIds)}::uuid[])
        and not exists (select from device d where d.ecpd_id = ${ecpdId} and d.device_id = o.device_id)
      order by o.device_id, o.kind, o.to_at desc) had
    group by device_id`);

export const listZones = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.many<{ accountName: string; timeZone: string }>(sql`
    select account_name as "accountName", time_zone as "timeZone" from account
    where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[])`);

/** Several plans may share a carrier's code: the first of them stands for it. */
export const listPlanNames = (db: Db, carrierCodes: readonly string[]) =>
  db.many<{ carrierCode: string; name: string }>(sql`
    select distinct on (carrier_service_plan_code) carrier_service_plan_code as "carrierCode", name from plan
    where carrier_service_plan_code = any(${carrierCodes}::text[])
    order by carrier_service_plan_code, code`);

export const listPlanWords = (db: Db, codes: readonly string[]) =>
  db.many<PlanWords & { code: string }>(sql`
    select code, coalesce(carrier_service_plan_code, code) as "carrierCode", name from plan
    where code = any(${codes}::text[])`);

export const listGroupAccounts = (db: Db, ecpdId: string, groupIds: readonly number[]) =>
  db.many<{ groupId: number; accountNames: string[] }>(sql`
    select rate_plan_group_id::float8 as "groupId", array_agg(account_name order by account_name) as "accountNames"
    from rate_plan_group_account
    where ecpd_id = ${ecpdId} and rate_plan_group_id = any(${plainArray(groupIds)}::bigint[])
    group by rate_plan_group_id`);
