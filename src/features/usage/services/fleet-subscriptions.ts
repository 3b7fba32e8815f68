import { type Static, Type } from 'typebox';
import { IsDate } from 'typebox/format';
import { spellSkuName } from '../../../kernel/sku-name.ts';
import { sql } from '../../../platform/db/sql.ts';
import { reportDuplicates, reportMissing } from '../../../platform/fleet-document/merge.ts';
import { EXPORT_PAGE, type FleetSection, inPages } from '../../../platform/fleet-document/section.ts';
import { METERED_SERVICES } from './subscription.ts';

const Entry = Type.Object(
  {
    accountName: Type.String(),
    serviceName: Type.Enum([...METERED_SERVICES]),
    skuName: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    since: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}$' })),
    allowance: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  },
  { additionalProperties: false },
);
type Entry = Static<typeof Entry>;

interface Exported {
  readonly ecpdId: string;
  readonly accountName: string;
  readonly serviceName: string;
}

const WITH_KNOWN = sql`
  left join subscription u on u.ecpd_id = s.ecpd_id and u.account_name = s.body->>'accountName'
    and u.service_name = s.body->>'serviceName'`;

export const subscriptionsSection: FleetSection = {
  name: 'subscriptions',
  tenant: 'account',
  entry: Entry,
  check: ({ since }: Entry) =>
    since === undefined || IsDate(since) ? [] : [{ path: '/since', detail: 'is not a date' }],

  prepare: (_ctx, entry: Entry) =>
    entry.skuName === undefined ? entry : { ...entry, skuName: spellSkuName(entry.skuName) },

  async verify(ctx, staging) {
    await reportDuplicates(ctx, staging, 'subscriptions', {
      path: '/serviceName',
      key: sql`s.body->>'accountName', s.body->>'serviceName'`,
    });
    await reportMissing(ctx, staging, 'subscriptions', {
      names: ['skuName'],
      from: sql`staged_entry s ${WITH_KNOWN}`,
      isNew: sql`u.service_name is null`,
    });
  },

  async write(ctx, staging) {
    const today = ctx.now().toISOString().slice(0, 10);
    for (const ecpdId of await staging.profilesOf('subscriptions')) {
      await ctx.db.exec(sql`
        insert into subscription (ecpd_id, account_name, service_name, sku_name, since, allowance)
        select s.ecpd_id, s.body->>'accountName', s.body->>'serviceName',
          coalesce(s.body->>'skuName', u.sku_name),
          coalesce((s.body->>'since')::date, u.since, ${today}::date),
          coalesce((s.body->>'allowance')::bigint, u.allowance)
        from staged_entry s ${WITH_KNOWN}
        where s.section = 'subscriptions' and s.ecpd_id = ${ecpdId}
        on conflict (ecpd_id, account_name, service_name) do update set sku_name = excluded.sku_name,
          since = excluded.since, allowance = excluded.allowance`);
    }
  },

  export: async function* (db, { ecpdId, accountName }) {
    const rows = inPages<Exported>((after) =>
      db.many(sql`
        select ecpd_id as "ecpdId", account_name as "accountName", service_name as "serviceName", sku_name as "skuName",
          since, allowance::float8 as allowance
        from subscription
        where (ecpd_id, account_name, service_name)
            > (${after?.ecpdId ?? ''}, ${after?.accountName ?? ''}, ${after?.serviceName ?? ''})
          and ${accountName === undefined ? sql`true` : sql`ecpd_id = ${ecpdId} and account_name = ${accountName}`}
        order by ecpd_id, account_name, service_name limit ${EXPORT_PAGE}`),
    );
    for await (const { ecpdId: _, ...subscription } of rows) yield subscription;
  },
};
