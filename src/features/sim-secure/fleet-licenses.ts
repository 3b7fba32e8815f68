import { sql } from '../../platform/db/sql.ts';
import { reportDuplicates, reportMissing, reportWhere } from '../../platform/fleet-document/merge.ts';
import { EXPORT_PAGE, type FleetSection, inPages } from '../../platform/fleet-document/section.ts';
import { isLicenseSku, spellLikeInterface } from './license-skus.ts';
import { lockStagedLicenses } from './lock-staged-licenses.ts';
import { LicenseEntry } from './schemas.ts';

interface Exported {
  readonly ecpdId: string;
  readonly accountName: string;
  readonly skuNumber: string;
}

const WITH_KNOWN = sql`
  left join license l on l.ecpd_id = s.ecpd_id and l.account_name = s.body->>'accountName'
    and l.sku_number = s.body->>'skuNumber'`;

export const licensesSection: FleetSection = {
  name: 'licenses',
  tenant: 'account',
  entry: LicenseEntry,
  check: ({ skuNumber }: LicenseEntry) =>
    isLicenseSku(skuNumber) ? [] : [{ path: '/skuNumber', detail: 'must have at most 20 characters' }],

  /** Each of the four SKUs is one, in whatever letter case it is written. */
  prepare: (_ctx, entry: LicenseEntry) => ({ ...entry, skuNumber: spellLikeInterface(entry.skuNumber) }),

  async verify(ctx, staging) {
    const key = sql`s.body->>'accountName', s.body->>'skuNumber'`;
    await reportDuplicates(ctx, staging, 'licenses', { path: '/skuNumber', key });
    await lockStagedLicenses(ctx, staging, 'licenses');
    await reportMissing(ctx, staging, 'licenses', {
      names: ['purchased'],
      from: sql`staged_entry s ${WITH_KNOWN}`,
      isNew: sql`l.sku_number is null`,
    });
    await reportWhere(ctx, staging, 'licenses', {
      path: '/purchased',
      detail: 'is less than what is assigned',
      condition: sql`(s.body->>'purchased')::int < (
        select count(*) from license_assignment x where x.ecpd_id = s.ecpd_id
          and x.account_name = s.body->>'accountName' and x.sku_number = s.body->>'skuNumber')`,
    });
  },

  async write(ctx, staging) {
    for (const ecpdId of await staging.profilesOf('licenses')) {
      await ctx.db.exec(sql`
        insert into license (ecpd_id, account_name, sku_number, purchased)
        select s.ecpd_id, s.body->>'accountName', s.body->>'skuNumber',
          coalesce((s.body->>'purchased')::int, l.purchased)
        from staged_entry s ${WITH_KNOWN}
        where s.section = 'licenses' and s.ecpd_id = ${ecpdId}
        on conflict (ecpd_id, account_name, sku_number) do update set purchased = excluded.purchased`);
    }
  },

  export: async function* (db, { ecpdId, accountName }) {
    const rows = inPages<Exported>((after) =>
      db.many(sql`
        select ecpd_id as "ecpdId", account_name as "accountName", sku_number as "skuNumber", purchased
        from license
        where (ecpd_id, account_name, sku_number)
            > (${after?.ecpdId ?? ''}, ${after?.accountName ?? ''}, ${after?.skuNumber ?? ''})
          and ${accountName === undefined ? sql`true` : sql`ecpd_id = ${ecpdId} and account_name = ${accountName}`}
        order by ecpd_id, account_name, sku_number limit ${EXPORT_PAGE}`),
    );
    for await (const { ecpdId: _, ...license } of rows) yield license;
  },
};
