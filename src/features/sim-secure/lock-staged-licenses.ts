import type { Ctx } from '../../platform/context/context.ts';
import { sql } from '../../platform/db/sql.ts';

/** Before assignments are counted: until the import has ended nobody assigns what it is about to count on. */
export const lockStagedLicenses =
  (section: string) =>
  async ({ db }: Ctx, ecpdIds: readonly string[]): Promise<void> => {
    for (const ecpdId of ecpdIds)
      await db.exec(sql`
        select from license l
        where l.ecpd_id = ${ecpdId} and (l.account_name, l.sku_number) in (
          select s.body->>'accountName', s.body->>'skuNumber' from staged_entry s
          where s.section = ${section} and s.ecpd_id = ${ecpdId})
        order by l.account_name, l.sku_number for no key update`);
  };
