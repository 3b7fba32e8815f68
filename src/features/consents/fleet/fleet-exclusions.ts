import { Type } from 'typebox';
import { sql } from '../../../platform/db/sql.ts';
import type { FleetSection } from '../../../platform/fleet-document/section.ts';
import { EXCLUSIONS_MAX } from '../consent.ts';
import {
  holdAccounts,
  holdStagedDevices,
  insertMissingLists,
  lockLists,
  replaceExclusions,
  stageExclusions,
  withdrawStaged,
} from './sql-merge-exclusions.ts';

/** An IMEI, MEID or ESN: owners may list devices by any of these, and an export must be importable. */
const IDENTIFIER = '^([0-9]{1,20}|[0-9A-F]{8}|[0-9A-F]{14})$';

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

  verify: [{ path: '/accountName', unique: sql`s.body->>'accountName'` }],
  beforeWrite: ({ db }) => stageExclusions(db),
  async write({ db, now }, ecpdId) {
    await holdAccounts(db, ecpdId, 'exclusions');
    await insertMissingLists(db, ecpdId, now());
    await lockLists(db, ecpdId);
    await holdStagedDevices(db, ecpdId);
    await replaceExclusions(db, ecpdId, now());
    await withdrawStaged(db, ecpdId, 'exclusions');
  },

  export: {
    select: sql`x.account_name as "accountName", x.all_device as "allDevice",
      coalesce(array_agg(e.identifier order by e.identifier) filter (where e.identifier is not null), '{}') as imeis`,
    from: sql`exclusion_list x
      left join exclusion e on e.ecpd_id = x.ecpd_id and e.account_name = x.account_name`,
    key: ['ecpd_id', 'account_name'],
    groupBy: sql`x.ecpd_id, x.account_name`,
  },
};
