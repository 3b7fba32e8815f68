import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql } from '../../../platform/db/sql.ts';

export const takeLineNumbers = (db: Db, count: number): Promise<readonly number[]> =>
  db.values<number>(sql`
    select nextval(pg_get_serial_sequence('device_line', 'line_number'))::int as n from generate_series(1, ${count}::int)`);

export interface Line {
  readonly deviceId: string;
  readonly credentialUsername: string;
  readonly credentialKeyId: string;
}

/** What a device got at its first activation, and its present address. */
export const listLines = (db: Db, { ecpdId, accountName }: Tenant, deviceIds: readonly string[]) =>
  db.many<Line & { readonly ipAddress: string | null }>(sql`
    select l.device_id as "deviceId", d.ip_address as "ipAddress", l.credential_username as "credentialUsername",
      l.credential_key_id as "credentialKeyId"
    from device_line l join device d on d.ecpd_id = l.ecpd_id and d.device_id = l.device_id
    where l.ecpd_id = ${ecpdId} and d.account_name = ${accountName}
      and l.device_id = any(${plainArray(deviceIds)}::uuid[])`);

export const insertLines = (
  db: Db,
  { ecpdId }: Tenant,
  lines: readonly (Line & { readonly lineNumber: number })[],
) =>
  db.exec(sql`
    insert into device_line (ecpd_id, device_id, line_number, credential_username, credential_key_id)
    select ${ecpdId}, new.device_id, new.line_number, new.username, new.key_id
    from unnest(${plainArray(lines.map(({ deviceId }) => deviceId))}::uuid[],
      ${plainArray(lines.map(({ lineNumber }) => lineNumber))}::bigint[],
      ${lines.map(({ credentialUsername }) => credentialUsername)}::text[],
      ${lines.map(({ credentialKeyId }) => credentialKeyId)}::text[])
      as new (device_id, line_number, username, key_id)`);

/** Which lines of the profile have these addresses. */
export const listAddressOwners = async (
  db: Db,
  { ecpdId }: Tenant,
  ipAddresses: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (ipAddresses.length === 0) return new Map();
  const rows = await db.many<{ ipAddress: string; deviceId: string }>(sql`
    select ip_address as "ipAddress", device_id as "deviceId" from device
    where ecpd_id = ${ecpdId} and ip_address = any(${ipAddresses}::text[])`);
  return new Map(rows.map(({ ipAddress, deviceId }) => [ipAddress, deviceId]));
};

/** Those of the plans on which a suspended line is billed by default. */
export const listBilledPlans = async (db: Db, codes: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    await db.values<string>(
      sql`select code from plan where suspend_with_billing and code = any(${codes}::text[])`,
    ),
  );
