import type { Tenant } from '../../platform/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';

export const takeLineNumbers = async (db: Db, count: number): Promise<readonly number[]> =>
  (
    await db.many<{ n: number }>(sql`
      select nextval(pg_get_serial_sequence('device_line', 'line_number'))::int as n from generate_series(1, ${count}::int)`)
  ).map(({ n }) => n);

export interface Line {
  readonly deviceId: string;
  readonly ipAddress: string;
  readonly credentialUsername: string;
  readonly credentialKeyId: string;
}

/** What a device was given at its first activation. */
export const listLines = (db: Db, { ecpdId }: Tenant, deviceIds: readonly string[]) =>
  db.many<Line>(sql`
    select device_id as "deviceId", ip_address as "ipAddress", credential_username as "credentialUsername",
      credential_key_id as "credentialKeyId"
    from device_line where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[])`);

export const insertLines = (
  db: Db,
  { ecpdId }: Tenant,
  lines: readonly (Line & { readonly lineNumber: number })[],
  { now, activatedBy }: { now: Date; activatedBy: string },
) =>
  db.exec(sql`
    insert into device_line (ecpd_id, device_id, line_number, ip_address, credential_username, credential_key_id,
      activated_at, activated_by)
    select ${ecpdId}, new.device_id, new.line_number, new.ip_address, new.username, new.key_id, ${now}, ${activatedBy}
    from unnest(${plainArray(lines.map(({ deviceId }) => deviceId))}::uuid[],
      ${plainArray(lines.map(({ lineNumber }) => lineNumber))}::bigint[], ${lines.map(({ ipAddress }) => ipAddress)}::text[],
      ${lines.map(({ credentialUsername }) => credentialUsername)}::text[],
      ${lines.map(({ credentialKeyId }) => credentialKeyId)}::text[])
      as new (device_id, line_number, ip_address, username, key_id)`);

/** A line that is activated again keeps its address and its credential. */
export const updateActivation = (
  db: Db,
  { ecpdId }: Tenant,
  deviceIds: readonly string[],
  { now, activatedBy }: { now: Date; activatedBy: string },
) =>
  db.exec(sql`
    update device_line set activated_at = ${now}, activated_by = ${activatedBy}
    where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[])`);

/** Of these plans those on which a suspended line is billed unless it is said otherwise. */
export const listBilledPlans = async (db: Db, codes: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await db.many<{ code: string }>(
        sql`select code from plan where suspend_with_billing and code = any(${codes}::text[])`,
      )
    ).map(({ code }) => code),
  );
