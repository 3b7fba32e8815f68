import type { DeviceId } from '../../kernel/device-id.ts';
import { NIL_UUID } from '../../kernel/uuid.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import { LOCATION_KINDS, type LocationIds } from './device-ref.ts';

export const KINDS = trusted(`array[${LOCATION_KINDS.map((kind) => `'${kind}'`).join(', ')}]`);

/** The ten digits by which answers name a device `d`, also one that has only a telephone number with its country. */
export const NUMBER = trusted('coalesce(d.mdn, right(d.msisdn, 10))');

/** Which devices of the account these identifiers name, in the order in which they were asked for. */
export const findDevicesByAnyId = (db: Db, { ecpdId, accountName }: Tenant, values: readonly string[]) =>
  db.many<{ identifier: string; deviceId: string | null }>(sql`
    select asked.value as identifier, found.device_id as "deviceId"
    from unnest(${values}::text[]) with ordinality as asked (value, nth)
    left join lateral (
      select di.device_id from device_identifier di
      where di.kind = any(${KINDS}) and di.value = asked.value
        and di.ecpd_id = ${ecpdId} and di.account_name = ${accountName}
      order by array_position(${KINDS}, di.kind) limit 1) found on true
    order by asked.nth`);

export interface FoundDevice {
  /** Which of the asked ones it is, from 0. */
  readonly nth: number;
  readonly deviceId: string;
  readonly mdn: string | null;
  readonly msisdn: string | null;
}

/** Held against deletion until the transaction ends: what refers to the device can then be written. */
export const lockDevices = (db: Db, { ecpdId, accountName }: Tenant, ids: readonly DeviceId[]) =>
  db.many<FoundDevice>(sql`
    select (asked.nth - 1)::int as nth, d.device_id as "deviceId", d.mdn, d.msisdn
    from unnest(${ids.map(({ kind }) => kind)}::text[], ${ids.map(({ value }) => value)}::text[])
      with ordinality as asked (kind, value, nth)
    join device_identifier di on di.kind = asked.kind and di.value = asked.value
      and di.ecpd_id = ${ecpdId} and di.account_name = ${accountName}
    join device d on d.ecpd_id = ${ecpdId} and d.device_id = di.device_id
    order by d.device_id for key share of d`);

export type DeviceRow = LocationIds & { readonly deviceId: string };

/** The devices of an account in pages, in the order of their keys. */
export const listDevicePage = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { after, limit }: { after: string | undefined; limit: number },
) =>
  db.many<DeviceRow>(sql`
    select device_id as "deviceId", imei, meid, esn, ${NUMBER} as mdn from device d
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id > ${after ?? NIL_UUID}::uuid
    order by device_id limit ${limit}`);

/** Those of the given devices that the account still has. */
export const listDevicesByKey = (db: Db, { ecpdId, accountName }: Tenant, deviceIds: readonly string[]) =>
  db.many<DeviceRow>(sql`
    select d.device_id as "deviceId", d.imei, d.meid, d.esn, ${NUMBER} as mdn
    from unnest(${deviceIds}::uuid[]) as asked (device_id)
    join device d on d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id = asked.device_id`);
