import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { licenseTypeOfAnyPrefix } from './license-skus.ts';
import { listAssignmentsOf } from './sql-assign.ts';

/** A licence as the record of its device tells of it. */
export interface DeviceLicense {
  readonly skuNumber: string;
  readonly licenseType: string;
  readonly assignedOn: string;
}

/** What these devices have, by their ids; undefined where it is more than `max`. */
export async function listLicensesOfDevices(
  db: Db,
  tenant: Tenant,
  deviceIds: readonly string[],
  max: number,
): Promise<ReadonlyMap<string, readonly DeviceLicense[]> | undefined> {
  const rows = await listAssignmentsOf(db, tenant, deviceIds, max + 1);
  if (rows.length > max) return undefined;
  const found = new Map<string, DeviceLicense[]>();
  for (const { deviceId, skuNumber, assignedAt } of rows) {
    const licenses = found.get(deviceId) ?? [];
    licenses.push({
      skuNumber,
      licenseType: licenseTypeOfAnyPrefix(skuNumber),
      assignedOn: assignedAt.toISOString(),
    });
    found.set(deviceId, licenses);
  }
  return found;
}
