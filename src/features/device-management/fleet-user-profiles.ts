import { NIL_UUID } from '../../kernel/uuid.ts';
import { sql } from '../../platform/db/sql.ts';
import { reportDuplicates, reportWhere } from '../../platform/fleet-document/merge.ts';
import { EXPORT_PAGE, type FleetSection, inPages } from '../../platform/fleet-document/section.ts';
import { documentOf } from './querying/wire.ts';
import { checkRecord, prepareRecord } from './record-entry.ts';
import { UserProfileEntry } from './schemas.ts';
import { resolveEmails, upsertUserProfiles } from './sql-merge-users.ts';

interface Exported {
  readonly ecpdId: string;
  readonly accountName: string;
  readonly userId: string;
  /** As text: numbers in it may have more digits than JavaScript's have. */
  readonly record: string;
}

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

  async verify(ctx, staging) {
    await reportWhere(ctx, staging, 'userProfiles', {
      path: '/id',
      detail: 'is needed: several user profiles of the account have this e-mail address',
      condition: sql`not s.body ? 'id' and 1 < (
        select count(*) from user_profile u where u.ecpd_id = s.ecpd_id and u.account_name = s.body->>'accountName'
          and lower(u.record->>'email') = lower(s.body->'record'->>'email'))`,
    });
    await resolveEmails(ctx.db);
    await reportDuplicates(ctx, staging, 'userProfiles', {
      path: '/id',
      key: sql`s.ecpd_id, coalesce(s.body->>'id', s.position::text)`,
    });
    await reportWhere(ctx, staging, 'userProfiles', {
      path: '/email',
      detail: 'stands in the document twice; give each its id to tell them apart',
      condition: sql`not s.body ? 'id' and s.position in (
        select same.position from (
          select o.position, row_number() over (
            partition by o.body->>'accountName', lower(o.body->'record'->>'email')
            order by o.body ? 'id' desc, o.position) as n
          from staged_entry o where o.section = 'userProfiles') same
        where same.n > 1)`,
    });
    await reportWhere(ctx, staging, 'userProfiles', {
      path: '/accountName',
      detail: 'is not the account of the user profile',
      from: sql`staged_entry s join user_profile u on u.ecpd_id = s.ecpd_id and u.user_id = (s.body->>'id')::uuid`,
      condition: sql`u.account_name <> s.body->>'accountName'`,
    });
  },

  async write(ctx, staging) {
    for (const ecpdId of await staging.profilesOf('userProfiles')) {
      await upsertUserProfiles(ctx, ecpdId);
    }
  },

  export: async function* (db, { ecpdId, accountName }) {
    const rows = inPages<Exported>((after) =>
      db.many(sql`
        select ecpd_id as "ecpdId", account_name as "accountName", user_id as "userId",
          (record || jsonb_build_object('id', user_id, 'foreignid', foreign_id, 'createdon', created_on,
            'lastupdated', last_updated, 'version', version::text, 'versionid', version_id))::text as record
        from user_profile
        where (ecpd_id, user_id) > (${after?.ecpdId ?? ''}, ${after?.userId ?? NIL_UUID}::uuid)
          and ${accountName === undefined ? sql`true` : sql`ecpd_id = ${ecpdId} and account_name = ${accountName}`}
        order by ecpd_id, user_id limit ${EXPORT_PAGE}`),
    );
    for await (const { accountName: name, record } of rows)
      yield { accountName: name, ...documentOf({ record }) };
  },
};
