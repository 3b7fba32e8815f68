import { Type } from 'typebox';
import { ECPD_ID_PATTERN } from '../../kernel/account-name.ts';
import { UUID_PATTERN } from '../../kernel/uuid.ts';
import { sql } from '../../platform/db/sql.ts';
import { reportDuplicates } from '../../platform/fleet-document/merge.ts';
import { EXPORT_PAGE, type FleetSection, inPages } from '../../platform/fleet-document/section.ts';

export const profilesSection: FleetSection = {
  name: 'profiles',
  tenant: 'none',
  entry: Type.Object(
    {
      ecpdId: Type.String({ pattern: ECPD_ID_PATTERN }),
      foreignId: Type.Optional(Type.String({ pattern: UUID_PATTERN })),
    },
    { additionalProperties: false },
  ),
  verify: (ctx, staging) =>
    reportDuplicates(ctx, staging, 'profiles', { path: '/ecpdId', key: sql`s.body->>'ecpdId'` }),
  async write(ctx) {
    await ctx.db.exec(sql`
      insert into profile (ecpd_id, foreign_id)
      select s.body->>'ecpdId',
        coalesce((s.body->>'foreignId')::uuid, p.foreign_id, gen_random_uuid())
      from staged_entry s left join profile p on p.ecpd_id = s.body->>'ecpdId'
      where s.section = 'profiles'
      on conflict (ecpd_id) do update set foreign_id = excluded.foreign_id`);
  },
  export: (db, { accountName }) =>
    inPages<{ ecpdId: string; foreignId: string }>((after) =>
      db.many(sql`
        select ecpd_id as "ecpdId", foreign_id as "foreignId" from profile
        where ecpd_id > ${after?.ecpdId ?? ''}
          and (${accountName ?? null}::text is null
               or ecpd_id = (select ecpd_id from account where account_name = ${accountName ?? null}))
        order by ecpd_id limit ${EXPORT_PAGE}`),
    ),
};
