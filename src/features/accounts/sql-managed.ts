import type { AccountName } from '../../kernel/account-name.ts';
import type { Tenant } from '../../platform/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import type { ManagedAccount, ManagedService } from './managed-account.ts';

/** A primary account is one that manages others, or did. */
export const isPrimaryAccount = async (db: Db, { ecpdId, accountName }: Tenant): Promise<boolean> =>
  (
    await db.one<{ found: boolean }>(sql`
      select exists (select from managed_account where ecpd_id = ${ecpdId} and paccount_name = ${accountName}) as found`)
  ).found;

/** Whether another account manages this one, for any service. */
export const isManagedAccount = async (db: Db, { ecpdId, accountName }: Tenant): Promise<boolean> =>
  (
    await db.one<{ found: boolean }>(sql`
      select exists (
        select from managed_account
        where ecpd_id = ${ecpdId} and account_name = ${accountName} and state <> 'cancelled') as found`)
  ).found;

const MANAGED =
  trusted(`account_name as "accountName", paccount_name as "paccountName", sku_name as "skuName", state,
  txid, added_txid as "addedTxid"`);

/** Those with which the account is activated, for one service or another. */
export const listPrimaries = async (db: Db, { ecpdId, accountName }: Tenant): Promise<AccountName[]> =>
  (
    await db.many<{ name: AccountName }>(sql`
      select distinct paccount_name as name from managed_account
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and state = 'provisioned'`)
  ).map(({ name }) => name);

/** How the account is managed for a service, if it is. */
export const findManagedAccount = (db: Db, { ecpdId, accountName }: Tenant, serviceName: string) =>
  db.maybe<ManagedAccount>(sql`
    select ${MANAGED} from managed_account
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}`);

/** Until the transaction ends nobody else activates or cancels it. */
export const lockManagedAccount = (db: Db, { ecpdId, accountName }: Tenant, serviceName: ManagedService) =>
  db.maybe<ManagedAccount>(sql`
    select ${MANAGED} from managed_account
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}
    for update`);

/** Under one primary account, for one service; so many can be listed in one answer. */
export const MANAGED_MAX = 10_000;

/** The accounts that are billed with this one. */
export const listManagedAccounts = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { serviceName, state }: { serviceName: string; state: ManagedAccount['state'] },
) =>
  db.many<ManagedAccount>(sql`
    select ${MANAGED} from managed_account
    where ecpd_id = ${ecpdId} and paccount_name = ${accountName} and service_name = ${serviceName} and state = ${state}
    order by account_name limit ${MANAGED_MAX}`);

/** A page of them in the order of their names, whatever their state; those that were cancelled are managed no longer. */
export const listManagedPage = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { serviceName, after, limit }: { serviceName: ManagedService; after: string; limit: number },
) =>
  db.many<ManagedAccount>(sql`
    select ${MANAGED} from managed_account
    where ecpd_id = ${ecpdId} and paccount_name = ${accountName} and service_name = ${serviceName}
      and account_name > ${after} and state <> 'cancelled'
    order by account_name limit ${limit}`);

export const countManagedByState = (db: Db, { ecpdId, accountName }: Tenant, serviceName: ManagedService) =>
  db.one<{ readonly added: number; readonly provisioned: number }>(sql`
    select count(*) filter (where state = 'added')::int as added,
      count(*) filter (where state = 'provisioned')::int as provisioned
    from managed_account
    where ecpd_id = ${ecpdId} and paccount_name = ${accountName} and service_name = ${serviceName}
      and state <> 'cancelled'`);

export const countManagedAccounts = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  serviceName: ManagedService,
): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*)::int as count from managed_account
      where ecpd_id = ${ecpdId} and paccount_name = ${accountName} and service_name = ${serviceName}
        and state <> 'cancelled'`)
  ).count;

/** What is to be known of an account before another begins to manage it. */
export interface Candidate {
  readonly accountName: string;
  readonly aggregatedBilling: boolean;
  /** Manages others, for any service. */
  readonly manages: boolean;
  /** Is managed by another, for any service. */
  readonly isManaged: boolean;
  /** How it is managed for the service that was asked about; null when it is not. */
  readonly paccountName: string | null;
  readonly state: 'added' | 'provisioned' | null;
}

/**
 * The named accounts that exist in the profile. Whoever adds accounts in the profile waits here for the one before: two
 * primaries may want the same account, and one may be about to manage others while it becomes managed itself. A statement
 * of its own takes the lock, so that the next one sees what was committed meanwhile. The accounts cannot be deleted.
 */
export async function lockCandidates(
  db: Db,
  ecpdId: string,
  names: readonly string[],
  serviceName: ManagedService,
): Promise<Candidate[]> {
  await db.exec(sql`select from profile where ecpd_id = ${ecpdId} for no key update`);
  return db.many<Candidate>(sql`
    select a.account_name as "accountName", a.aggregated_billing as "aggregatedBilling",
      exists (select from managed_account o where o.ecpd_id = ${ecpdId} and o.paccount_name = a.account_name
        and o.state <> 'cancelled') as manages,
      exists (select from managed_account o where o.ecpd_id = ${ecpdId} and o.account_name = a.account_name
        and o.state <> 'cancelled') as "isManaged",
      m.paccount_name as "paccountName", m.state
    from account a
    left join managed_account m on m.ecpd_id = a.ecpd_id and m.account_name = a.account_name
      and m.service_name = ${serviceName} and m.state <> 'cancelled'
    where a.ecpd_id = ${ecpdId} and a.account_name = any(${names}::text[])
    order by a.account_name
    for key share of a`);
}

/** Answers which were added: an import may have been faster. A relation that was cancelled begins anew. */
export const addManagedAccounts = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  {
    names,
    serviceName,
    skuName,
    txid,
  }: { names: readonly string[]; serviceName: ManagedService; skuName: string; txid: string },
  at: Date,
): Promise<string[]> =>
  (
    await db.many<{ name: string }>(sql`
      insert into managed_account (ecpd_id, account_name, service_name, paccount_name, sku_name, state, txid, updated_at)
      select ${ecpdId}, name, ${serviceName}, ${accountName}, ${skuName}, 'added', ${txid}::uuid, ${at}
      from unnest(${names}::text[]) name order by name
      on conflict (ecpd_id, account_name, service_name) do update set paccount_name = excluded.paccount_name,
        sku_name = excluded.sku_name, state = 'added', txid = excluded.txid, added_txid = null,
        updated_at = excluded.updated_at
      where managed_account.state = 'cancelled'
      returning account_name as name`)
  ).map(({ name }) => name);

/** Of a row that is locked. */
export const provisionManagedAccount = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { serviceName, txid }: { serviceName: ManagedService; txid: string },
  at: Date,
) =>
  db.exec(sql`
    update managed_account set state = 'provisioned', added_txid = txid, txid = ${txid}, updated_at = ${at}
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}`);

/** Of a row that is locked. */
export const cancelManagedAccount = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { serviceName, txid }: { serviceName: ManagedService; txid: string },
  at: Date,
) =>
  db.exec(sql`
    update managed_account set state = 'cancelled', added_txid = null, txid = ${txid}, updated_at = ${at}
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}`);
