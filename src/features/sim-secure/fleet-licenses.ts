import type { Ctx } from '../../platform/context/context.ts';
import { sql } from '../../platform/db/sql.ts';
import { tableSection } from '../../platform/fleet-document/table-section.ts';
import { isLicenseSku, spellLikeInterface } from './license-skus.ts';
import { LicenseEntry } from './schemas.ts';

/** Locks the licences before assignments are counted, so that the counts hold until the import ends. */
export const lockStagedLicenses =
  (section: string) =>
  async ({ db }: Ctx, ecpdIds: readonly string[]): Promise<void> => {
    for (const ecpdId of ecpdIds)
      await db.exec(sql`
        select 1 from license l
        where l.ecpd_id = ${ecpdId} and (l.account_name, l.sku_number) in (
          select s.body->>'accountName', s.body->>'skuNumber' from staged_entry s
          where s.section = ${section} and s.ecpd_id = ${ecpdId})
        order by l.account_name, l.sku_number for no key update`);
  };

export const licensesSection = tableSection({
  name: 'licenses',
  tenant: 'account',
  entry: LicenseEntry,
  check: ({ skuNumber }: LicenseEntry) =>
    isLicenseSku(skuNumber) ? [] : [{ path: '/skuNumber', detail: 'must have at most 20 characters' }],
  /** The letter case of the four SKUs does not matter. */
  prepare: (_ctx, entry: LicenseEntry) => ({ ...entry, skuNumber: spellLikeInterface(entry.skuNumber) }),
  table: 'license',
  key: ['accountName', 'skuNumber'],
  needed: ['purchased'],
  verify: [
    lockStagedLicenses('licenses'),
    {
      path: '/purchased',
      detail: 'is less than the number of assigned licences',
      condition: (ecpdId) => sql`(s.body->>'purchased')::int < (
        select count(*) from license_assignment x where x.ecpd_id = ${ecpdId}
          and x.account_name = s.body->>'accountName' and x.sku_number = s.body->>'skuNumber')`,
    },
  ],
});
