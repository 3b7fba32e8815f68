import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';

export interface LicenseCount {
  readonly skuNumber: string;
  readonly purchased: number;
  readonly assigned: number;
}

/** SKUs that an account has, with room for a mistake in the fleet document. */
const SKUS_MAX = 1_000;

/** Of one SKU in whatever letter case, or of all. */
export const listLicenses = (db: Db, { ecpdId, accountName }: Tenant, skuNumber: string | undefined) =>
  db.many<LicenseCount>(sql`
    select l.sku_number as "skuNumber", l.purchased, (
      select count(*)::int from license_assignment a
      where a.ecpd_id = l.ecpd_id and a.account_name = l.account_name and a.sku_number = l.sku_number) as assigned
    from license l
    where l.ecpd_id = ${ecpdId} and l.account_name = ${accountName}
      and (${skuNumber ?? null}::text is null or lower(l.sku_number) = lower(${skuNumber ?? null}))
    order by l.sku_number limit ${SKUS_MAX}`);
