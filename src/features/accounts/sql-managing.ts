import type { AccountName } from '../../kernel/account-name.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import type { ManagedAccount, ManagedService } from './account.ts';
import { MANAGED } from './sql-managed.ts';

/**
 * Whoever adds or activates accounts in the profile waits here for the one before: several primaries may want the same
 * account, and one may be about to manage others while it becomes managed itself. It and the two locks below are taken in
 * this order, each by a statement of its own, so that the next one sees what was committed meanwhile.
 */
export const lockManaging = (db: Db, ecpdId: string) =>
  db.exec(sql`select 1 from profile where ecpd_id = ${ecpdId} for no key update`);

/**
 * Before accounts become managed, or are so no longer: whoever records uses of one holds its row, so that each use is
 * either before that moment or after it.
 */
export const lockManaged = (db: Db, ecpdId: string, names: readonly string[]) =>
  db.exec(sql`
    select 1 from account where ecpd_id = ${ecpdId} and account_name = any(${names}::text[])
    order by account_name for update`);

/** They then cannot be deleted, nor become managed. */
export const holdAccounts = (db: Db, ecpdId: string, names: readonly string[]) =>
  db.exec(sql`
    select 1 from account where ecpd_id = ${ecpdId} and account_name = any(${names}::text[])
    order by account_name for key share`);

/** What is to be known of an account before another begins to manage it. Only activations make one managed or managing. */
export interface Candidate {
  readonly accountName: string;
  readonly aggregatedBilling: boolean;
  /** Others are activated with it, for any service. */
  readonly manages: boolean;
  /** Is activated with another, for any service. */
  readonly isManaged: boolean;
  /** With which primary it is activated for the service that was asked about. */
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

/** Those of the primary account that it has added and that are not activated: they have their room already. */
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

/** How a primary and an account stand to each other for a service. */
export interface Relation extends Tenant {
  readonly paccountName: AccountName;
  readonly serviceName: ManagedService;
}

/** Until the transaction ends nobody else activates or cancels it. */
export const lockRelation = (db: Db, { ecpdId, accountName, paccountName, serviceName }: Relation) =>
  db.maybe<ManagedAccount>(sql`
    select ${MANAGED} from managed_account
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}
      and paccount_name = ${paccountName}
    for update`);

/** One that was added before, or cancelled, begins anew. Their primary is the tenant, and none of them is activated. */
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

/** What other primaries have added of the account for the service; answers their names. */
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

/** Of a row that is locked. */
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
 * After activations of these accounts have changed: what they are not activated with any more ends now, and what they are
 * begins now. One that began and ended at the same moment was none, and makes place for the next.
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
