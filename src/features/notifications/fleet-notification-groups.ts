import { Type } from 'typebox';
import { MAIL_ADDRESS_PATTERN } from '../../kernel/mail-address.ts';
import { PHONE_NUMBER_PATTERN } from '../../kernel/phone-number.ts';
import { sql } from '../../platform/db/sql.ts';
import { normaliseNames, reportDuplicates } from '../../platform/fleet-document/merge.ts';
import { EXPORT_PAGE, type FleetSection, inPages } from '../../platform/fleet-document/section.ts';

const MEMBERS_MAX = 1_000;

interface Exported {
  readonly ecpdId: string;
  readonly name: string;
}

export const notificationGroupsSection: FleetSection = {
  name: 'notificationGroups',
  tenant: 'profile',
  entry: Type.Object(
    {
      ecpdId: Type.String(),
      name: Type.String({ minLength: 1, maxLength: 100 }),
      emails: Type.Optional(
        Type.Array(Type.String({ pattern: MAIL_ADDRESS_PATTERN, maxLength: 254 }), {
          maxItems: MEMBERS_MAX,
        }),
      ),
      phones: Type.Optional(
        Type.Array(Type.String({ pattern: PHONE_NUMBER_PATTERN }), { maxItems: MEMBERS_MAX }),
      ),
    },
    { additionalProperties: false },
  ),

  async verify(ctx, staging) {
    await normaliseNames(ctx, 'notificationGroups', 'name');
    await reportDuplicates(ctx, staging, 'notificationGroups', {
      path: '/name',
      key: sql`s.body->>'ecpdId', s.body->>'name'`,
    });
  },

  async write(ctx, staging) {
    for (const ecpdId of await staging.profilesOf('notificationGroups')) {
      await ctx.db.exec(sql`
        insert into notification_group (ecpd_id, name, emails, phones)
        select s.ecpd_id, s.body->>'name',
          case when s.body ? 'emails' then array(select jsonb_array_elements_text(s.body->'emails'))
               else coalesce(g.emails, '{}') end,
          case when s.body ? 'phones' then array(select jsonb_array_elements_text(s.body->'phones'))
               else coalesce(g.phones, '{}') end
        from staged_entry s
        left join notification_group g on g.ecpd_id = s.ecpd_id and g.name = s.body->>'name'
        where s.section = 'notificationGroups' and s.ecpd_id = ${ecpdId}
        on conflict (ecpd_id, name) do update set emails = excluded.emails, phones = excluded.phones`);
    }
  },

  /** A group is its profile's: the export of one account carries those that its triggers may name. */
  export: (db, { ecpdId }) =>
    inPages<Exported>((after) =>
      db.many(sql`
        select ecpd_id as "ecpdId", name, emails, phones from notification_group
        where (ecpd_id, name) > (${after?.ecpdId ?? ''}, ${after?.name ?? ''})
          and ${ecpdId === undefined ? sql`true` : sql`ecpd_id = ${ecpdId}`}
        order by ecpd_id, name limit ${EXPORT_PAGE}`),
    ),
};
