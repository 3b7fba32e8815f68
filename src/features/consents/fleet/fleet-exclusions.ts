import { Type } from 'typebox';
import { sql } from '../../../platform/db/sql.ts';
import { reportDuplicates } from '../../../platform/fleet-document/merge.ts';
import { EXPORT_PAGE, type FleetSection, inPages } from '../../../platform/fleet-document/section.ts';
import { EXCLUSIONS_MAX } from '../consent.ts';
import {
  holdAccounts,
  holdStagedDevices,
  insertMissingLists,
  lockLists,
  replaceExclusions,
  stageExclusions,
} from './sql-merge-exclusions.ts';

/** An IMEI, MEID or ESN: owners may list devices by any of these, and an export must be importable. */
const IDENTIFIER = '^([0-9]{1,20}|[0-9A-F]{8}|[0-9A-F]{14})$';

interface Exported {
  readonly ecpdId: string;
  readonly accountName: string;
}

export const exclusionsSection: FleetSection = {
  name: 'exclusions',
  tenant: 'account',
  entry: Type.Object(
    {
      accountName: Type.String(),
      allDevice: Type.Optional(Type.Boolean()),
      imeis: Type.Optional(
        Type.Array(Type.String({ pattern: IDENTIFIER }), {
          maxItems: EXCLUSIONS_MAX,
          uniqueItems: true,
        }),
      ),
    },
    { additionalProperties: false },
  ),

  verify: (ctx, staging) =>
    reportDuplicates(ctx, staging, 'exclusions', { path: '/accountName', key: sql`s.body->>'accountName'` }),

  async write(ctx, staging) {
    await stageExclusions(ctx.db);
    for (const ecpdId of await staging.profilesOf('exclusions')) {
      await holdAccounts(ctx.db, ecpdId, 'exclusions');
      await insertMissingLists(ctx.db, ecpdId, ctx.now());
      await lockLists(ctx.db, ecpdId);
      await holdStagedDevices(ctx.db, ecpdId);
      await replaceExclusions(ctx.db, ecpdId, ctx.now());
    }
  },

  export: async function* (db, { ecpdId, accountName }) {
    const rows = inPages<Exported>((after) =>
      db.many(sql`
        select l.ecpd_id as "ecpdId", l.account_name as "accountName", l.all_device as "allDevice",
          array(select e.identifier from exclusion e
                where e.ecpd_id = l.ecpd_id and e.account_name = l.account_name order by e.identifier) as imeis
        from exclusion_list l
        where (l.ecpd_id, l.account_name) > (${after?.ecpdId ?? ''}, ${after?.accountName ?? ''})
          and ${accountName === undefined ? sql`true` : sql`l.ecpd_id = ${ecpdId} and l.account_name = ${accountName}`}
        order by l.ecpd_id, l.account_name limit ${EXPORT_PAGE}`),
    );
    for await (const { ecpdId: _, ...list } of rows) yield list;
  },
};
