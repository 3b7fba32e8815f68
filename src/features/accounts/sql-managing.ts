import type { AccountName } from '../../kernel/account-name.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import type { ManagedAccount, ManagedService } from './account.ts';
import { MANAGED } from './sql-managed.ts';

/**
 * Serialises additions and activations in the profile: several primaries may want the same account, and one may be
 * about to manage others while it becomes managed itself. Take this and the two locks below in this order, each in its
 * own statement, so that the next one sees what was committed before.
 */
export const lockManaging = (db: Db, ecpdId: string) =>
  db.exec(sql`select 1 from profile where ecpd_id = ${ecpdId} for no key update`);

/**
 * Locks accounts before they become managed, or stop being managed. Code that records uses of an account holds its row,
 * so each use is either before or after that time.
 */
export const lockManaged = (db: Db, ecpdId: string, names: readonly string[]) =>
  db.exec(sql`
    select 1 from account where ecpd_id = ${ecpdId} and account_name = any(${names}::text[])
    order by account_name for update`);

/** Keeps these accounts from being deleted or becoming managed. */
export const holdAccounts = (db: Db, ecpdId: string, names: readonly string[]) =>
  db.exec(sql`
    select 1 from account where ecpd_id = ${ecpdId} and account_name = any(${names}::text[])
    order by account_name for key share`);

/** The data needed before another account manages this one. Only activations make an account managed or managing. */
export interface Candidate {
  readonly accountName: string;
  readonly aggregatedBilling: boolean;
  /** Other accounts are activated with it, for any service. */
  readonly manages: boolean;
  /** It is activated with another account, for any service. */
  readonly isManaged: boolean;
  /** The primary with which it is activated for the requested service. */
  readonly activatedWith: string | null;
}

/** The named accounts that exist in the profile. */
export const listCandidates = (
  db: Db,
  ecpdId: string,
  names: readonly string[],
  serviceName: ManagedService,
) =>
  db.many<Candidate>(sql`
    select a.account_name as "accountName", a.aggregated_billing as "aggregatedBilling",
      exists (select 1 from managed_account o where o.ecpd_id = ${ecpdId} and o.paccount_name = a.account_name
        and o.state = 'provisioned') as manages,
      exists (select 1 from managed_account o where o.ecpd_id = ${ecpdId} and o.account_name = a.account_name
        and o.state = 'provisioned') as "isManaged",
      m.paccount_name as "activatedWith"
    from account a
    left join managed_account m on m.ecpd_id = a.ecpd_id and m.account_name = a.account_name
      and m.service_name = ${serviceName} and m.state = 'provisioned'
    where a.ecpd_id = ${ecpdId} and a.account_name = any(${names}::text[])`);

/** The accounts that the primary has added but not activated. They already count towards its limit. */
export const listAdded = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  serviceName: ManagedService,
  names: readonly string[],
): Promise<string[]> =>
  db.values<string>(sql`
    select account_name as name from managed_account
    where ecpd_id = ${ecpdId} and paccount_name = ${accountName} and service_name = ${serviceName}
      and account_name = any(${names}::text[]) and state = 'added'`);

export const countManagedAccounts = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  serviceName: ManagedService,
): Promise<number> =>
  db.value<number>(sql`
    select count(*)::int as count from managed_account
    where ecpd_id = ${ecpdId} and paccount_name = ${accountName} and service_name = ${serviceName}
      and state <> 'cancelled'`);

/** A primary and an account, for a service. */
export interface Relation extends Tenant {
  readonly paccountName: AccountName;
  readonly serviceName: ManagedService;
}

/** Locks the relation, so that no other transaction activates or cancels it before this one ends. */
export const lockRelation = (db: Db, { ecpdId, accountName, paccountName, serviceName }: Relation) =>
  db.maybe<ManagedAccount>(sql`
    select ${MANAGED} from managed_account
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}
      and paccount_name = ${paccountName}
    for update`);

/**
 * Adds accounts to the primary, which is the tenant. Relations that were added before, or cancelled, start again. None
 * of them is activated.
 */
export const addManagedAccounts = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  {
    names,
    serviceName,
    skuName,
    txid,
  }: { names: readonly string[]; serviceName: ManagedService; skuName: string; txid: string },
  at: Date,
) =>
  db.exec(sql`
    insert into managed_account (ecpd_id, account_name, service_name, paccount_name, sku_name, state, txid, updated_at)
    select p.ecpd_id, name, ${serviceName}, ${accountName}, ${skuName}, 'added', ${txid}::uuid, ${at}
    from profile p cross join unnest(${names}::text[]) name where p.ecpd_id = ${ecpdId} order by name
    on conflict (ecpd_id, account_name, service_name, paccount_name) do update set sku_name = excluded.sku_name,
      state = 'added', txid = excluded.txid, added_txid = null, updated_at = excluded.updated_at`);

/** Cancels the additions of the account by other primaries for the service, and returns their names. */
export const endOtherAdditions = async (
  db: Db,
  { ecpdId, accountName, paccountName, serviceName }: Relation,
  at: Date,
): Promise<string[]> =>
  (
    await db.values<string>(sql`
      update managed_account set state = 'cancelled', updated_at = ${at}
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}
        and paccount_name <> ${paccountName} and state = 'added'
      returning paccount_name as name`)
  ).toSorted();

/** Sets the state of a locked row. */
const setState =
  (state: 'provisioned' | 'cancelled', addedTxid: Query) =>
  (db: Db, { ecpdId, accountName, paccountName, serviceName }: Relation, txid: string, at: Date) =>
    db.exec(sql`
      update managed_account set state = ${state}, added_txid = ${addedTxid}, txid = ${txid}, updated_at = ${at}
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}
        and paccount_name = ${paccountName}`);

export const provisionManagedAccount = setState('provisioned', sql`txid`);
export const cancelManagedAccount = setState('cancelled', sql`null`);

/**
 * Call it after activations of these accounts have changed: ends the periods of former activations now, and starts
 * those of new ones. A period that starts and ends at the same time does not count, and the next one replaces it.
 */
export async function setPeriods(
  db: Db,
  ecpdId: string,
  accountNames: readonly string[],
  at: Date,
): Promise<void> {
  await db.exec(sql`
    update managed_period p set to_at = greatest(p.from_at, ${at}::timestamptz)
    where p.ecpd_id = ${ecpdId} and p.account_name = any(${accountNames}::text[]) and p.to_at = 'infinity'
      and not exists (
        select 1 from managed_account m where m.ecpd_id = ${ecpdId} and m.account_name = p.account_name
          and m.service_name = p.service_name and m.paccount_name = p.paccount_name and m.state = 'provisioned')`);
  await db.exec(sql`
    insert into managed_period (ecpd_id, account_name, service_name, from_at, paccount_name)
    select m.ecpd_id, m.account_name, m.service_name, ${at}, m.paccount_name
    from managed_account m
    where m.ecpd_id = ${ecpdId} and m.account_name = any(${accountNames}::text[]) and m.state = 'provisioned'
      and not exists (
        select 1 from managed_period p where p.ecpd_id = ${ecpdId} and p.account_name = m.account_name
          and p.service_name = m.service_name and p.paccount_name = m.paccount_name and p.to_at = 'infinity')
    order by 2, 3
    on conflict (ecpd_id, account_name, service_name, from_at)
    do update set paccount_name = excluded.paccount_name, to_at = excluded.to_at`);
}
