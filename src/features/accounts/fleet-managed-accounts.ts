import { type Static, Type } from 'typebox';
import { spellSkuName } from '../../kernel/sku-name.ts';
import { sql } from '../../platform/db/sql.ts';
import { reportDuplicates, reportMissing, reportWhere } from '../../platform/fleet-document/merge.ts';
import { EXPORT_PAGE, type FleetSection, inPages } from '../../platform/fleet-document/section.ts';
import { MANAGED_SERVICES } from './managed-account.ts';

const Entry = Type.Object(
  {
    accountName: Type.String(),
    paccountName: Type.Optional(Type.String()),
    serviceName: Type.Enum([...MANAGED_SERVICES]),
    type: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    state: Type.Optional(Type.Enum(['added', 'provisioned'])),
  },
  { additionalProperties: false },
);

interface Exported {
  readonly accountName: string;
  readonly serviceName: string;
}

/** One that was cancelled comes as a new one. */
const WITH_KNOWN = sql`
  left join managed_account m on m.ecpd_id = s.ecpd_id and m.account_name = s.body->>'accountName'
    and m.service_name = s.body->>'serviceName' and m.state <> 'cancelled'`;

export const managedAccountsSection: FleetSection = {
  name: 'managedAccounts',
  tenant: 'account',
  entry: Entry,
  prepare: (_ctx, entry: Static<typeof Entry>) =>
    entry.type === undefined ? entry : { ...entry, type: spellSkuName(entry.type) },

  async verify(ctx, staging) {
    const key = sql`s.body->>'accountName', s.body->>'serviceName'`;
    await reportDuplicates(ctx, staging, 'managedAccounts', { path: '/accountName', key });
    await reportMissing(ctx, staging, 'managedAccounts', {
      names: ['paccountName', 'type'],
      from: sql`staged_entry s ${WITH_KNOWN}`,
      isNew: sql`m.account_name is null`,
    });
    await reportWhere(ctx, staging, 'managedAccounts', {
      path: '/paccountName',
      detail: 'is not another account of the same profile',
      condition: sql`s.body ? 'paccountName' and (
        s.body->>'paccountName' = s.body->>'accountName' or not exists (
          select from account a where a.ecpd_id = s.ecpd_id and a.account_name = s.body->>'paccountName'))`,
    });
    // What the document says of an account and a service stands for what is kept of them.
    await reportWhere(ctx, staging, 'managedAccounts', {
      path: '/paccountName',
      detail: 'is itself managed by another account',
      condition: sql`exists (
          select from staged_entry o where o.section = s.section and o.ecpd_id = s.ecpd_id
            and o.body->>'accountName' = s.body->>'paccountName')
        or exists (
          select from managed_account m
          where m.ecpd_id = s.ecpd_id and m.account_name = s.body->>'paccountName' and m.state <> 'cancelled')`,
    });
    await reportWhere(ctx, staging, 'managedAccounts', {
      path: '/accountName',
      detail: 'manages other accounts itself',
      condition: sql`exists (
        select from managed_account m
        where m.ecpd_id = s.ecpd_id and m.paccount_name = s.body->>'accountName' and m.state <> 'cancelled'
          and not exists (select from staged_entry o where o.section = s.section and o.ecpd_id = s.ecpd_id
            and o.body ? 'paccountName' and o.body->>'accountName' = m.account_name
            and o.body->>'serviceName' = m.service_name))`,
    });
  },

  async write(ctx, staging) {
    for (const ecpdId of await staging.profilesOf('managedAccounts')) {
      await ctx.db.exec(sql`
        insert into managed_account (ecpd_id, account_name, service_name, paccount_name, sku_name, state, txid, updated_at)
        select s.ecpd_id, s.body->>'accountName', s.body->>'serviceName',
          coalesce(s.body->>'paccountName', m.paccount_name), coalesce(s.body->>'type', m.sku_name),
          coalesce(s.body->>'state', m.state, 'added'), coalesce(m.txid, gen_random_uuid()), ${ctx.now()}
        from staged_entry s ${WITH_KNOWN}
        where s.section = 'managedAccounts' and s.ecpd_id = ${ecpdId}
        order by 2, 3
        on conflict (ecpd_id, account_name, service_name) do update set paccount_name = excluded.paccount_name,
          sku_name = excluded.sku_name, state = excluded.state, txid = excluded.txid, updated_at = excluded.updated_at`);
    }
  },

  export: (db, { accountName }) =>
    inPages<Exported>((after) =>
      db.many(sql`
        select account_name as "accountName", paccount_name as "paccountName", service_name as "serviceName",
          sku_name as type, state
        from managed_account
        where (account_name, service_name) > (${after?.accountName ?? ''}, ${after?.serviceName ?? ''})
          and state <> 'cancelled'
          and (${accountName ?? null}::text is null or account_name = ${accountName ?? null})
        order by account_name, service_name limit ${EXPORT_PAGE}`),
    ),
};
