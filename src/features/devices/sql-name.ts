import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, trusted } from '../../platform/db/sql.ts';

/** The display name of a device `d`: its name, or else an identifier. */
export const SHOWN_NAME = trusted(
  `coalesce(d.record->>'name', d.imei, d.meid, d.esn, d.iccid, d.mdn, d.msisdn, '')`,
);

/** The names of devices that the account has now. */
export async function listDeviceNames(
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await db.many<{ deviceId: string; name: string }>(sql`
    select d.device_id as "deviceId", ${SHOWN_NAME} as name from device d
    where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName}
      and d.device_id = any(${plainArray(deviceIds)}::uuid[])`);
  return new Map(rows.map(({ deviceId, name }) => [deviceId, name]));
}

/** The names of lines of one profile, each with its present account. */
export async function listNamesInProfile(
  db: Db,
  ecpdId: string,
  deviceIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly accountName: string; readonly name: string }>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await db.many<{ deviceId: string; accountName: string; name: string }>(sql`
    select d.device_id as "deviceId", d.account_name as "accountName", ${SHOWN_NAME} as name from device d
    where d.ecpd_id = ${ecpdId} and d.device_id = any(${plainArray(deviceIds)}::uuid[])`);
  return new Map(rows.map(({ deviceId, ...line }) => [deviceId, line]));
}

/** The names of devices of any profile. */
export async function listNamesOfDevices(
  db: Db,
  devices: readonly { readonly ecpdId: string; readonly deviceId: string }[],
): Promise<ReadonlyMap<string, string>> {
  if (devices.length === 0) return new Map();
  const rows = await db.many<{ deviceId: string; name: string }>(sql`
    select d.device_id as "deviceId", ${SHOWN_NAME} as name
    from unnest(${devices.map(({ ecpdId }) => ecpdId)}::text[],
      ${plainArray(devices.map(({ deviceId }) => deviceId))}::uuid[]) as asked (ecpd_id, device_id)
    join device d on d.ecpd_id = asked.ecpd_id and d.device_id = asked.device_id`);
  return new Map(rows.map(({ deviceId, name }) => [deviceId, name]));
}
