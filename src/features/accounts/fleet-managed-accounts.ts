import { type Static, Type } from 'typebox';
import { spellSkuName } from '../../kernel/sku-name.ts';
import { sql } from '../../platform/db/sql.ts';
import type { FleetSection, OfProfile, Rule } from '../../platform/fleet-document/section.ts';
import { missing } from '../../platform/fleet-document/verify-entries.ts';
import { MANAGED_SERVICES } from './account.ts';
import { setPeriods } from './sql-managing.ts';
import {
  ACTIVATED_AFTER,
  endReplaced,
  insertFirstPeriods,
  listStagedAccounts,
  lockAndStage,
  upsertRelations,
} from './sql-staged-relation.ts';

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

const FROM = sql`staged_relation s`;
const ofProfile: OfProfile = (ecpdId) => sql`(
  with relation as materialized (select * from staged_relation where ecpd_id = ${ecpdId}) select * from relation) s`;

/** The rules for entries; `s` is the resulting relation. */
const RULES: readonly Rule[] = [
  { ...missing('paccountName'), from: FROM, condition: sql`s.paccount_name is null` },
  { ...missing('type'), from: FROM, condition: sql`s.sku_name is null` },
  {
    path: '/accountName',
    detail: 'stands in the document twice',
    from: sql`(
      select *, row_number() over (partition by ecpd_id, account_name, service_name, paccount_name order by position) as nth
      from staged_relation) s`,
    condition: sql`s.nth > 1`,
  },
  {
    path: '/paccountName',
    detail: 'is not another account of the same profile',
    from: ofProfile,
    condition: (
      ecpdId,
    ) => sql`s.paccount_name = s.account_name or s.paccount_name is not null and not exists (
      select 1 from account a where a.ecpd_id = ${ecpdId} and a.account_name = s.paccount_name)`,
  },
  {
    path: '/paccountName',
    detail: 'is not the primary account that the account is activated with',
    from: FROM,
    condition: sql`exists (
        select 1 from staged_relation o where o.ecpd_id = s.ecpd_id and o.account_name = s.account_name
          and o.service_name = s.service_name and o.paccount_name <> s.paccount_name and o.state = 'provisioned')
      or s.state = 'added' and exists (
        select 1 from staged_activation k where k.ecpd_id = s.ecpd_id and k.account_name = s.account_name
          and k.service_name = s.service_name and k.paccount_name <> s.paccount_name and not exists (
            select 1 from staged_relation o where o.ecpd_id = k.ecpd_id and o.account_name = k.account_name
              and o.service_name = k.service_name and o.paccount_name = k.paccount_name))`,
  },
  {
    path: '/paccountName',
    detail: 'is itself managed by another account',
    from: FROM,
    condition: sql`s.state = 'provisioned' and exists (
      select 1 from ${ACTIVATED_AFTER} r where r.ecpd_id = s.ecpd_id and r.account_name = s.paccount_name)`,
  },
  {
    path: '/accountName',
    detail: 'manages other accounts itself',
    from: FROM,
    condition: sql`s.state = 'provisioned' and exists (
      select 1 from ${ACTIVATED_AFTER} r where r.ecpd_id = s.ecpd_id and r.paccount_name = s.account_name)`,
  },
];

export const managedAccountsSection: FleetSection = {
  name: 'managedAccounts',
  tenant: 'account',
  isLast: true,
  entry: Entry,
  prepare: (_ctx, entry: Static<typeof Entry>) =>
    entry.type === undefined ? entry : { ...entry, type: spellSkuName(entry.type) },
  verify: [lockAndStage, ...RULES],

  async write({ db, now, chance }, ecpdId) {
    const at = now();
    await insertFirstPeriods(db, ecpdId);
    await endReplaced(db, ecpdId, at);
    await upsertRelations(db, ecpdId, at, chance.rowIds());
    await setPeriods(db, ecpdId, await listStagedAccounts(db, ecpdId), at);
  },

  export: {
    select: sql`x.account_name as "accountName", x.paccount_name as "paccountName", x.service_name as "serviceName",
      x.sku_name as type, x.state`,
    from: sql`(select * from managed_account where state <> 'cancelled') x`,
    key: ['account_name', 'service_name', 'paccount_name'],
  },
};
