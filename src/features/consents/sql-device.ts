import type { DeviceId } from '../../kernel/device-id.ts';
import { NIL_UUID } from '../../kernel/uuid.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import { LOCATION_KINDS } from './device-ref.ts';
import type { LocationIds } from './wire.ts';

export const KINDS = trusted(`array[${LOCATION_KINDS.map((kind) => `'${kind}'`).join(', ')}]`);

/**
 * A device `d` as answers name it. Its number has ten digits, even if the device has only a telephone number with
 * country code.
 */
export const NAMED = trusted(
  `d.device_id as "deviceId", d.imei, d.meid, d.esn, coalesce(d.mdn, right(d.msisdn, 10)) as mdn`,
);

/** The account's devices with these identifiers, in the order of the identifiers. */
export const findDevicesByAnyId = (db: Db, { ecpdId, accountName }: Tenant, values: readonly string[]) =>
  db.many<{ identifier: string; deviceId: string | null }>(sql`
    select given.value as identifier, found.device_id as "deviceId"
    from unnest(${values}::text[]) with ordinality as given (value, nth)
    left join lateral (
      select di.device_id from device_identifier di
      where di.kind = any(${KINDS}) and di.value = given.value
        and di.ecpd_id = ${ecpdId} and di.account_name = ${accountName}
      order by array_position(${KINDS}, di.kind) limit 1) found on true
    order by given.nth`);

export interface FoundDevice {
  /** Its position in the list, from 0. */
  readonly nth: number;
  readonly deviceId: string;
  readonly mdn: string | null;
  readonly msisdn: string | null;
}

/** Locks devices against deletion until the transaction ends, so that rows that refer to them can be written. */
export const lockDevices = (db: Db, { ecpdId, accountName }: Tenant, ids: readonly DeviceId[]) =>
  db.many<FoundDevice>(sql`
    select (given.nth - 1)::int as nth, d.device_id as "deviceId", d.mdn, d.msisdn
    from unnest(${ids.map(({ kind }) => kind)}::text[], ${ids.map(({ value }) => value)}::text[])
      with ordinality as given (kind, value, nth)
    join device_identifier di on di.kind = given.kind and di.value = given.value
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
    select ${NAMED} from device d
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id > ${after ?? NIL_UUID}::uuid
    order by device_id limit ${limit}`);

/** Those of the given devices that the account still has. */
export const listDevicesByKey = (db: Db, { ecpdId, accountName }: Tenant, deviceIds: readonly string[]) =>
  db.many<DeviceRow>(sql`
    select ${NAMED}
    from unnest(${deviceIds}::uuid[]) as given (device_id)
    join device d on d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id = given.device_id`);
