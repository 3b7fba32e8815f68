import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { CycleAccount } from '../closings/schedule.ts';

export const listCycleAccounts = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.many<CycleAccount>(sql`
    select account_name as "accountName", time_zone as "timeZone", bill_cycle_day as "billCycleDay" from account
    where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[])`);

export interface DeviceIdentifiers {
  readonly deviceId: string;
  readonly deviceIds: readonly { readonly id: string; readonly kind: string }[];
}

export const listIdentifiers = (db: Db, ecpdId: string, deviceIds: readonly string[]) =>
  db.many<DeviceIdentifiers>(sql`
    select device_id as "deviceId", json_agg(json_build_object('id', value, 'kind', kind) order by kind) as "deviceIds"
    from device_identifier where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[])
    group by device_id`);
