import type { AccountName } from '../../kernel/account-name.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import type { ManagedAccount, ManagedService } from './managed-account.ts';
import { MANAGED } from './sql-managed.ts';

/**
 * Whoever adds or activates accounts in the profile waits here for the one before: several primaries may want the same
 * account, and one may be about to manage others while it becomes managed itself. It and the two locks below are taken in
 * this order, each by a statement of its own, so that the next one sees what was committed meanwhile.
 */
export const lockManaging = (db: Db, ecpdId: string) =>
  db.exec(sql`select from profile where ecpd_id = ${ecpdId} for no key update`);

/**
 * Before accounts become managed, or are so no longer: whoever records uses of one holds its row, so that each use is
 * either before that moment or after it.
 */
export const lockManaged = (db: Db, ecpdId: string, names: readonly string[]) =>
  db.exec(sql`
    select from account where ecpd_id = ${ecpdId} and account_name = any(${names}::text[])
    order by account_name for update`);

/** They then cannot be deleted, nor become managed. */
export const holdAccounts = (db: Db, ecpdId: string, names: readonly string[]) =>
  db.exec(sql`
    select from account where ecpd_id = ${ecpdId} and account_name = any(${names}::text[])
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
      exists (select from managed_account o where o.ecpd_id = ${ecpdId} and o.paccount_name = a.account_name
        and o.state = 'provisioned') as manages,
      exists (select from managed_account o where o.ecpd_id = ${ecpdId} and o.account_name = a.account_name
        and o.state = 'provisioned') as "isManaged",
      m.paccount_name as "activatedWith"
    from account a
    left join managed_account m on m.ecpd_id = a.ecpd_id and m.account_name = a.account_name
      and m.service_name = ${serviceName} and m.state = 'provisioned'
    where a.ecpd_id = ${ecpdId} and a.account_name = any(${names}::text[])`);

/** Those of the primary account that it has added and that are not activated: they have their room already. */
export const listAdded = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  serviceName: ManagedService,
  names: readonly string[],
): Promise<string[]> =>
  (
    await db.many<{ name: string }>(sql`
      select account_name as name from managed_account
      where ecpd_id = ${ecpdId} and paccount_name = ${accountName} and service_name = ${serviceName}
        and account_name = any(${names}::text[]) and state = 'added'`)
  ).map(({ name }) => name);

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
    select ${ecpdId}, name, ${serviceName}, ${accountName}, ${skuName}, 'added', ${txid}::uuid, ${at}
    from unnest(${names}::text[]) name order by name
    on conflict (ecpd_id, account_name, service_name, paccount_name) do update set sku_name = excluded.sku_name,
      state = 'added', txid = excluded.txid, added_txid = null, updated_at = excluded.updated_at`);

/** What other primaries have added of the account for the service; answers their names. */
export const endOtherAdditions = async (
  db: Db,
  { ecpdId, accountName, paccountName, serviceName }: Relation,
  at: Date,
): Promise<string[]> =>
  (
    await db.many<{ name: string }>(sql`
      update managed_account set state = 'cancelled', updated_at = ${at}
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}
        and paccount_name <> ${paccountName} and state = 'added'
      returning paccount_name as name`)
  )
    .map(({ name }) => name)
    .toSorted();

/** Of a row that is locked. */
export const provisionManagedAccount = (
  db: Db,
  { ecpdId, accountName, paccountName, serviceName }: Relation,
  txid: string,
  at: Date,
) =>
  db.exec(sql`
    update managed_account set state = 'provisioned', added_txid = txid, txid = ${txid}, updated_at = ${at}
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}
      and paccount_name = ${paccountName}`);

/** Of a row that is locked. */
export const cancelManagedAccount = (
  db: Db,
  { ecpdId, accountName, paccountName, serviceName }: Relation,
  txid: string,
  at: Date,
) =>
  db.exec(sql`
    update managed_account set state = 'cancelled', added_txid = null, txid = ${txid}, updated_at = ${at}
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}
      and paccount_name = ${paccountName}`);
