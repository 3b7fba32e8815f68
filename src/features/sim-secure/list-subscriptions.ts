import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { licenseFaults } from './errors.ts';
import { isKnownSku, isLicenseSku, licenseType, spellSku } from './license-skus.ts';
import { listLicenses } from './sql-license.ts';

/** The licences of an account by SKU. One of the four SKUs that it has none of is an empty list, any other an error. */
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
