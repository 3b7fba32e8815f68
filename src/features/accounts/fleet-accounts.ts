import { type Static, Type } from 'typebox';
import { ACCOUNT_NAME_PATTERN } from '../../kernel/account-name.ts';
import { MAIL_ADDRESS_PATTERN } from '../../kernel/mail-address.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import { reportDuplicates, reportWhere } from '../../platform/fleet-document/merge.ts';
import { EXPORT_PAGE, type FleetSection, inPages } from '../../platform/fleet-document/section.ts';
import { isTimeZone } from './account.ts';

const Entry = Type.Object(
  {
    accountName: Type.String({ pattern: ACCOUNT_NAME_PATTERN }),
    ecpdId: Type.Optional(Type.String({ description: 'An account that is known keeps its profile' })),
    organizationName: Type.Optional(Type.String({ maxLength: 200 })),
    timeZone: Type.Optional(Type.String({ maxLength: 64 })),
    billCycleDay: Type.Optional(Type.Integer({ minimum: 1, maximum: 31 })),
    realTimeRating: Type.Optional(Type.Boolean()),
    aggregatedBilling: Type.Optional(Type.Boolean()),
    locationRegistered: Type.Optional(Type.Boolean()),
    contactEmail: Type.Optional(Type.String({ pattern: MAIL_ADDRESS_PATTERN, maxLength: 254 })),
  },
  { additionalProperties: false },
);
type Entry = Static<typeof Entry>;

/** Before it is written: whether cycles of an account that exists will begin at other moments. */
export const movesCycles = async (db: Db, ecpdId: string): Promise<boolean> =>
  (
    await db.one<{ found: boolean }>(sql`
      select exists (
        select from staged_entry s
        join account a on a.ecpd_id = ${ecpdId} and a.account_name = s.body->>'accountName'
        where s.section = 'accounts' and s.ecpd_id = ${ecpdId}
          and (coalesce(s.body->>'timeZone', a.time_zone) <> a.time_zone
            or coalesce((s.body->>'billCycleDay')::int, a.bill_cycle_day) <> a.bill_cycle_day)) as found`)
  ).found;

export const accountsSection: FleetSection = {
  name: 'accounts',
  tenant: 'profile or known account',
  entry: Entry,
  check: ({ timeZone }: Entry) =>
    timeZone === undefined || isTimeZone(timeZone)
      ? []
      : [{ path: '/timeZone', detail: 'is not a known time zone' }],

  async verify(ctx, staging) {
    await reportDuplicates(ctx, staging, 'accounts', {
      path: '/accountName',
      key: sql`s.body->>'accountName'`,
    });
    await reportWhere(ctx, staging, 'accounts', {
      path: '/ecpdId',
      detail: 'is not the profile that the account belongs to; an account never changes its profile',
      from: sql`staged_entry s join account a on a.account_name = s.body->>'accountName'`,
      condition: sql`a.ecpd_id <> s.body->>'ecpdId'`,
    });
  },

  async write(ctx, staging) {
    for (const ecpdId of await staging.profilesOf('accounts')) {
      await ctx.db.exec(sql`
        insert into account (ecpd_id, account_name, organization_name, time_zone, bill_cycle_day, real_time_rating,
          aggregated_billing, location_registered, contact_email, created_at)
        select s.ecpd_id, s.body->>'accountName',
          coalesce(s.body->>'organizationName', a.organization_name),
          coalesce(s.body->>'timeZone', a.time_zone, 'UTC'),
          coalesce((s.body->>'billCycleDay')::int, a.bill_cycle_day, 1),
          coalesce((s.body->>'realTimeRating')::boolean, a.real_time_rating, false),
          coalesce((s.body->>'aggregatedBilling')::boolean, a.aggregated_billing, false),
          coalesce((s.body->>'locationRegistered')::boolean, a.location_registered, false),
          coalesce(s.body->>'contactEmail', a.contact_email), coalesce(a.created_at, ${ctx.now()})
        from staged_entry s
        left join account a on a.ecpd_id = s.ecpd_id and a.account_name = s.body->>'accountName'
        where s.section = 'accounts' and s.ecpd_id = ${ecpdId}
        order by 2
        on conflict (ecpd_id, account_name) do update set organization_name = excluded.organization_name,
          time_zone = excluded.time_zone, bill_cycle_day = excluded.bill_cycle_day,
          real_time_rating = excluded.real_time_rating, aggregated_billing = excluded.aggregated_billing,
          location_registered = excluded.location_registered, contact_email = excluded.contact_email`);
    }
  },

  export: (db, { accountName }) =>
    inPages<{ accountName: string }>((after) =>
      db.many(sql`
        select account_name as "accountName", ecpd_id as "ecpdId", organization_name as "organizationName",
          time_zone as "timeZone", bill_cycle_day as "billCycleDay", real_time_rating as "realTimeRating",
          aggregated_billing as "aggregatedBilling", location_registered as "locationRegistered",
          contact_email as "contactEmail"
        from account
        where account_name > ${after?.accountName ?? ''}
          and (${accountName ?? null}::text is null or account_name = ${accountName ?? null})
        order by account_name limit ${EXPORT_PAGE}`),
    ),
};
