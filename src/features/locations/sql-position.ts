import type { Tenant } from '../../platform/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import type { Fix } from './location.ts';

export interface DevicePosition extends Fix {
  readonly deviceId: string;
}

/**
 * Keeps the newest position of each device; one that is older than what is known changes nothing. Rows are locked in
 * the order of their keys. Devices that are gone are left out: their answers may still be on their way.
 */
export const upsertPositions = (db: Db, ecpdId: string, positions: readonly DevicePosition[]) =>
  db.exec(sql`
    insert into device_position as known (ecpd_id, device_id, latitude, longitude, radius_m, at)
    select distinct on (d.device_id) ${ecpdId}, d.device_id, p.latitude, p.longitude, p.radius_m, p.at
    from unnest(${plainArray(positions.map((p) => p.deviceId))}::uuid[], ${plainArray(positions.map((p) => p.latitude))}::float8[],
      ${plainArray(positions.map((p) => p.longitude))}::float8[], ${plainArray(positions.map((p) => p.radiusM))}::float8[],
      ${plainArray(positions.map((p) => p.at))}::timestamptz[]) as p (device_id, latitude, longitude, radius_m, at)
    join device d on d.ecpd_id = ${ecpdId} and d.device_id = p.device_id
    order by d.device_id, p.at desc
    on conflict (ecpd_id, device_id) do update set latitude = excluded.latitude, longitude = excluded.longitude,
      radius_m = excluded.radius_m, at = excluded.at
    where excluded.at >= known.at`);

/** The caller has asked for consent first: nothing here knows about it. */
export const listPositions = (
  db: Db,
  { ecpdId }: Tenant,
  deviceIds: readonly string[],
  notBefore: Date | undefined,
) =>
  db.many<DevicePosition>(sql`
    select p.device_id as "deviceId", p.latitude, p.longitude, p.radius_m as "radiusM", p.at
    from unnest(${plainArray(deviceIds)}::uuid[]) as asked (device_id)
    join device_position p on p.ecpd_id = ${ecpdId} and p.device_id = asked.device_id
    where p.at >= ${notBefore ?? '-infinity'}::timestamptz`);

/** The same as part of another statement: `deviceId` is a column of it. */
export const cachedPosition = (ecpdId: string, deviceId: Query, notBefore: Date | undefined): Query => sql`
  select latitude, longitude, radius_m, at from device_position
  where ecpd_id = ${ecpdId} and device_id = ${deviceId} and at >= ${notBefore ?? '-infinity'}::timestamptz`;

export const deletePosition = (db: Db, ecpdId: string, deviceId: string) =>
  db.exec(sql`delete from device_position where ecpd_id = ${ecpdId} and device_id = ${deviceId}`);

export const deletePositionsOfAccount = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.exec(sql`
    delete from device_position p using device d
    where p.ecpd_id = ${ecpdId} and d.ecpd_id = ${ecpdId} and d.device_id = p.device_id
      and d.account_name = ${accountName}`);
