import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';

/** The account's spelling of a SKU that is given in any letter case. */
export const findSku = (db: Db, { ecpdId, accountName }: Tenant, skuNumber: string) =>
  db.maybeValue<string>(sql`
    select sku_number as "skuNumber" from license
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and lower(sku_number) = lower(${skuNumber})
    order by sku_number = ${skuNumber} desc limit 1`);

interface LicenseRow extends Tenant {
  readonly skuNumber: string;
}

/**
 * The number of purchased licences; undefined if the account has none of the SKU. The lock serialises assignments,
 * removals and imports, so counts made after it hold.
 */
export const lockLicense = (db: Db, { ecpdId, accountName, skuNumber }: LicenseRow) =>
  db.maybeValue<number>(sql`
    select purchased from license
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and sku_number = ${skuNumber} for no key update`);

export const countAssigned = (db: Db, { ecpdId, accountName, skuNumber }: LicenseRow): Promise<number> =>
  db.value<number>(sql`
    select count(*)::int as n from license_assignment
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and sku_number = ${skuNumber}`);

/** The devices among these that have a licence of the SKU. */
export const listAssigned = async (
  db: Db,
  { ecpdId, accountName, skuNumber }: LicenseRow,
  deviceIds: readonly string[],
): Promise<ReadonlySet<string>> =>
  new Set(
    await db.values<string>(sql`
      select device_id as "deviceId" from license_assignment
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and sku_number = ${skuNumber}
        and device_id = any(${plainArray(deviceIds)}::uuid[])`),
  );

interface DeviceAssignment {
  readonly deviceId: string;
  readonly skuNumber: string;
  readonly assignedAt: Date;
}

/** Of any SKU. */
export const listAssignmentsOf = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  limit: number,
) =>
  db.many<DeviceAssignment>(sql`
    select device_id as "deviceId", sku_number as "skuNumber", assigned_at as "assignedAt" from license_assignment
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])
    order by device_id, sku_number limit ${limit}`);

export const insertAssignments = (
  db: Db,
  { ecpdId, accountName, skuNumber }: LicenseRow,
  deviceIds: readonly string[],
  now: Date,
) =>
  db.exec(sql`
    insert into license_assignment (ecpd_id, account_name, sku_number, device_id, assigned_at)
    select p.ecpd_id, ${accountName}, ${skuNumber}, new.device_id, ${now}
    from profile p cross join unnest(${plainArray(deviceIds)}::uuid[]) as new (device_id) where p.ecpd_id = ${ecpdId}`);

export const deleteAssignments = (
  db: Db,
  { ecpdId, accountName, skuNumber }: LicenseRow,
  deviceIds: readonly string[],
) =>
  db.exec(sql`
    delete from license_assignment
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and sku_number = ${skuNumber}
      and device_id = any(${plainArray(deviceIds)}::uuid[])`);

interface LicenseCount {
  readonly skuNumber: string;
  readonly purchased: number;
  readonly assigned: number;
}

/** Limit of SKUs of an account, with room for a mistake in the fleet document. */
const SKUS_MAX = 1_000;

/** One SKU in any letter case, or all. */
export const listLicenses = (db: Db, { ecpdId, accountName }: Tenant, skuNumber: string | undefined) =>
  db.many<LicenseCount>(sql`
    select l.sku_number as "skuNumber", l.purchased, (
      select count(*)::int from license_assignment a
      where a.ecpd_id = l.ecpd_id and a.account_name = l.account_name and a.sku_number = l.sku_number) as assigned
    from license l
    where l.ecpd_id = ${ecpdId} and l.account_name = ${accountName}
      and (${skuNumber ?? null}::text is null or lower(l.sku_number) = lower(${skuNumber ?? null}))
    order by l.sku_number limit ${SKUS_MAX}`);
