import type { DeviceId } from '../../kernel/device-id.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import type { Target } from './location.ts';

export interface FoundDevice {
  readonly deviceId: string;
  readonly mdn: string | null;
  readonly msisdn: string | null;
  /** The 10-digit number by which answers name the device; empty if it has none. */
  readonly msid: string;
  readonly iot: boolean;
  /** False after deactivation: the network no longer knows the device. */
  readonly hasLine: boolean;
}

/** One result for each identifier, in order; undefined if the account has no such device. */
export async function findDevices(
  db: Db,
  { ecpdId, accountName }: Tenant,
  ids: readonly DeviceId[],
): Promise<(FoundDevice | undefined)[]> {
  const found: (FoundDevice | undefined)[] = Array.from({ length: ids.length }, () => undefined);
  const rows = await db.many<FoundDevice & { nth: number }>(sql`
    select (asked.nth - 1)::int as nth, d.device_id as "deviceId", d.mdn, d.msisdn,
      coalesce(d.mdn, right(d.msisdn, 10), '') as msid, d.iot, d.state <> 'deactive' as "hasLine"
    from unnest(${ids.map(({ kind }) => kind)}::text[], ${ids.map(({ value }) => value)}::text[])
      with ordinality as asked (kind, value, nth)
    join device_identifier di on di.kind = asked.kind and di.value = asked.value
      and di.ecpd_id = ${ecpdId} and di.account_name = ${accountName}
    join device d on d.ecpd_id = ${ecpdId} and d.device_id = di.device_id`);
  for (const { nth, ...device } of rows) found[nth] = device;
  return found;
}

const AS_TARGET = trusted(
  'd.ecpd_id as "ecpdId", d.account_name as "accountName", d.device_id as "deviceId", d.imei, d.meid, d.esn, d.mdn, d.msisdn',
);

/** The given devices that the account still uses, with the identifiers for a network query. */
export const listTargets = (db: Db, { ecpdId, accountName }: Tenant, deviceIds: readonly string[]) =>
  db.many<Target>(sql`
    select ${AS_TARGET} from unnest(${plainArray(deviceIds)}::uuid[]) as asked (device_id)
    join device d on d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id = asked.device_id
    where d.state <> 'deactive'`);

/** The given devices that the account still has. They cannot be deleted until the transaction ends. */
export const lockDevices = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await db.many<{ deviceId: string }>(sql`
    select device_id as "deviceId" from device
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])
    order by device_id for key share`);
  return new Set(rows.map(({ deviceId }) => deviceId));
};
