import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import type { Db } from '../../platform/db/db.ts';
import { licenseFaults } from './errors.ts';
import { isKnownSku, isLicenseSku, licenseType, licenseTypeOfAnyPrefix, spellSku } from './license-skus.ts';
import { listAssignmentsOf, listLicenses } from './sql.ts';

/** The licences of an account by SKU. Without licences, one of the four SKUs gives an empty list, any other an error. */
export async function listSubscriptions(
  { db }: Ctx,
  tenant: Tenant,
  given: string | undefined,
  prefix: string,
) {
  const skuNumber = given === undefined ? undefined : spellSku(given, prefix);
  if (skuNumber !== undefined && !isLicenseSku(skuNumber)) refuse(licenseFaults.badSku);
  const licenses = await listLicenses(db, tenant, skuNumber);
  if (skuNumber !== undefined && licenses.length === 0 && !isKnownSku(skuNumber, prefix))
    refuse(licenseFaults.skuNotFound);
  return {
    accountName: tenant.accountName,
    subscriptionList: licenses.map(({ skuNumber: sku, purchased, assigned }) => ({
      skuNumber: sku,
      licenseType: licenseType(sku, prefix),
      licensePurchased: purchased,
      licenseAssigned: assigned,
      licenseAvailable: purchased - assigned,
      extendedAttributes: [],
    })),
  };
}

/** A licence as shown in the record of its device. */
interface DeviceLicense {
  readonly skuNumber: string;
  readonly licenseType: string;
  readonly assignedOn: string;
}

/** The licences of these devices, by device id; undefined if there are more than `max`. */
export async function listLicensesOfDevices(
  db: Db,
  tenant: Tenant,
  deviceIds: readonly string[],
  max: number,
): Promise<ReadonlyMap<string, readonly DeviceLicense[]> | undefined> {
  const rows = await listAssignmentsOf(db, tenant, deviceIds, max + 1);
  if (rows.length > max) return undefined;
  const toLicense = ({ skuNumber, assignedAt }: (typeof rows)[number]): DeviceLicense => ({
    skuNumber,
    licenseType: licenseTypeOfAnyPrefix(skuNumber),
    assignedOn: assignedAt.toISOString(),
  });
  const byDevice = Map.groupBy(rows, ({ deviceId }) => deviceId);
  return new Map(byDevice.entries().map(([deviceId, own]) => [deviceId, own.map(toLicense)]));
}
