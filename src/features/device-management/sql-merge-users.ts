import { writeAudited } from '../../platform/context/audit.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { sql } from '../../platform/db/sql.ts';

/** Absent fields stay; a user profile that comes out as it was is not written, so its version stands. */
const upsert = (ecpdId: string, at: Date) => sql`
    insert into user_profile as u (ecpd_id, account_name, user_id, record, foreign_id, created_on, last_updated, version,
      version_id)
    select s.ecpd_id, s.body->>'accountName', coalesce((s.body->>'id')::uuid, gen_random_uuid()),
      coalesce(u.record, '{}') || (s.body->'record'),
      coalesce((s.body->>'foreignid')::uuid, u.foreign_id, p.foreign_id),
      coalesce((s.body->>'createdon')::timestamptz, ${at}),
      case when u.user_id is null then coalesce((s.body->>'lastupdated')::timestamptz, ${at}) else ${at} end,
      coalesce((s.body->>'version')::bigint, 1),
      case when u.user_id is null then coalesce((s.body->>'versionid')::uuid, gen_random_uuid())
           else gen_random_uuid() end
    from staged_entry s
    join profile p on p.ecpd_id = s.ecpd_id
    left join user_profile u on u.ecpd_id = s.ecpd_id and u.user_id = (s.body->>'id')::uuid
    where s.section = 'userProfiles' and s.ecpd_id = ${ecpdId}
    on conflict (ecpd_id, user_id) do update set record = excluded.record, foreign_id = excluded.foreign_id,
      last_updated = excluded.last_updated, version = u.version + 1, version_id = excluded.version_id
    where (u.record, u.foreign_id) is distinct from (excluded.record, excluded.foreign_id)
    returning u.*`;

/** Each change with a line that says how the user was before; in one statement, which still sees that. */
export const upsertUserProfiles = (ctx: Ctx, ecpdId: string) =>
  writeAudited(
    ctx,
    'importDeviceManagementUser',
    (at) => sql`written as (${upsert(ecpdId, at)})`,
    sql`select w.user_id::text as target, w.ecpd_id, w.account_name, to_jsonb(u) as before, to_jsonb(w) as after
        from written w left join user_profile u on u.ecpd_id = ${ecpdId} and u.user_id = w.user_id`,
  );
