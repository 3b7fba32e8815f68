import { sql } from '../../platform/db/sql.ts';
import type { FleetSection } from '../../platform/fleet-document/section.ts';
import { resolveIds } from '../../platform/fleet-document/verify-entries.ts';
import { checkRecord, prepareRecord, toEntry } from './record-entry.ts';
import { UserProfileEntry } from './schemas.ts';
import { upsertUserProfiles } from './sql-merge.ts';

const SAME_EMAIL = sql`t.account_name = s.body->>'accountName'
  and lower(t.record->>'email') = lower(s.body->'record'->>'email')`;

export const userProfilesSection: FleetSection = {
  name: 'userProfiles',
  tenant: 'account',
  entry: UserProfileEntry,
  documents: ['customdata'],
  check: (entry: UserProfileEntry) => [
    ...checkRecord(entry),
    ...((entry.id ?? entry.email) === undefined
      ? [{ path: '/email', detail: 'is missing, and so is id: one of them is needed' }]
      : []),
  ],
  prepare: (_ctx, entry: UserProfileEntry) => prepareRecord(entry),

  verify: [
    {
      path: '/id',
      detail: 'is needed: several user profiles of the account have this e-mail address',
      condition: (ecpdId) => sql`not s.body ? 'id' and 1 < (
        select count(*) from user_profile t where t.ecpd_id = ${ecpdId} and ${SAME_EMAIL})`,
    },
    resolveIds('userProfiles', 'id', { kept: sql`user_profile`, id: sql`t.user_id`, same: SAME_EMAIL }),
    { path: '/id', unique: sql`s.ecpd_id, coalesce(s.body->>'id', s.position::text)` },
    {
      path: '/email',
      detail: 'stands in the document twice; give each its id to distinguish them',
      condition: sql`not s.body ? 'id' and s.position in (
        select same.position from (
          select o.position, row_number() over (
            partition by o.body->>'accountName', lower(o.body->'record'->>'email')
            order by o.body ? 'id' desc, o.position) as n
          from staged_entry o where o.section = 'userProfiles') same
        where same.n > 1)`,
    },
    {
      path: '/accountName',
      detail: 'is not the account of the user profile',
      from: (ecpdId) =>
        sql`staged s join user_profile u on u.ecpd_id = ${ecpdId} and u.user_id = (s.body->>'id')::uuid`,
      condition: sql`u.account_name <> s.body->>'accountName'`,
    },
  ],
  write: upsertUserProfiles,
  export: {
    select: sql`x.account_name as "accountName",
      (x.record || jsonb_build_object('id', x.user_id, 'foreignid', x.foreign_id, 'createdon', x.created_on,
        'lastupdated', x.last_updated, 'version', x.version::text, 'versionid', x.version_id))::text as record`,
    from: sql`user_profile x`,
    key: ['ecpd_id', 'user_id'],
    entryOf: toEntry,
  },
};
