import type { AccountName } from '../../kernel/account-name.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import type { LastingRelation, ManagedAccount, ManagedService } from './account.ts';

/** A primary account has, or had, added other accounts. */
export const isPrimaryAccount = (db: Db, { ecpdId, accountName }: Tenant): Promise<boolean> =>
  db.value<boolean>(sql`
    select exists (select 1 from managed_account where ecpd_id = ${ecpdId} and paccount_name = ${accountName}) as found`);

/** Whether the primary account ever added this one, for any service. */
export const hasAddedAccount = (db: Db, { ecpdId, accountName: paccountName }: Tenant, accountName: string) =>
  db.value<boolean>(sql`
    select exists (
      select 1 from managed_account
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and paccount_name = ${paccountName}) as found`);

/** Whether the account is activated with another one, for any service. An addition alone does not bind it. */
export const isManagedAccount = (db: Db, { ecpdId, accountName }: Tenant): Promise<boolean> =>
  db.value<boolean>(sql`
    select exists (
      select 1 from managed_account
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and state = 'provisioned') as found`);

export const MANAGED =
  trusted(`account_name as "accountName", paccount_name as "paccountName", sku_name as "skuName", state,
  txid, added_txid as "addedTxid"`);

/** The primaries with which the account is activated, at most one for each service. */
export const listPrimaries = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.many<{ readonly serviceName: ManagedService; readonly paccountName: AccountName }>(sql`
    select service_name as "serviceName", paccount_name as "paccountName" from managed_account
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and state = 'provisioned'`);

/** The activation of the account for a service; undefined if it has none. */
export const findActivation = (db: Db, { ecpdId, accountName }: Tenant, serviceName: ManagedService) =>
  db.maybe<ManagedAccount>(sql`
    select ${MANAGED} from managed_account
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}
      and state = 'provisioned'`);

/** At most this many primaries of an account are listed. */
const WANTED_MAX = 100;

/** The activation of the account, and additions that may become one. */
export const listRelations = (db: Db, { ecpdId, accountName }: Tenant, serviceName: ManagedService) =>
  db.many<LastingRelation>(sql`
    select ${MANAGED} from managed_account
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}
      and state <> 'cancelled'
    order by paccount_name limit ${WANTED_MAX}`);

/** Managed accounts under one primary and service; one answer can list this many. */
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

/** A page of the managed accounts in the order of their names, in any state except cancelled. */
export const listManagedPage = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { serviceName, after, limit }: { serviceName: ManagedService; after: string; limit: number },
) =>
  db.many<LastingRelation>(sql`
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
