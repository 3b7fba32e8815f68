import type { AccountName } from '../../kernel/account-name.ts';
import type { Tenant } from '../../platform/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import type { Account } from './account.ts';

const COLUMNS =
  trusted(`ecpd_id as "ecpdId", account_name as "accountName", organization_name as "organizationName",
  time_zone as "timeZone", bill_cycle_day as "billCycleDay", real_time_rating as "realTimeRating",
  aggregated_billing as "aggregatedBilling", location_registered as "locationRegistered",
  contact_email as "contactEmail", created_at as "createdAt"`);

/** By name alone: how a request's account becomes a tenant. */
export const findAccountByName = (db: Db, accountName: AccountName) =>
  db.maybe<Account>(sql`select ${COLUMNS} from account where account_name = ${accountName}`);

export const findAccount = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.maybe<Account>(
    sql`select ${COLUMNS} from account where ecpd_id = ${ecpdId} and account_name = ${accountName}`,
  );

export const listAccounts = (db: Db, page: { after: string; ecpdId: string | undefined; limit: number }) =>
  db.many<Account>(sql`
    select ${COLUMNS} from account
    where account_name > ${page.after} and (${page.ecpdId ?? null}::text is null or ecpd_id = ${page.ecpdId ?? null})
    order by account_name limit ${page.limit}`);

/** Before an account is deleted: whoever still writes what belongs to it by name holds its row, and is waited for. */
export const lockAccount = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.exec(sql`
    select from account where ecpd_id = ${ecpdId} and account_name = ${accountName} for update`);

/** Everything that belongs to the account refers to it and goes with it. */
export const deleteAccount = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.exec(sql`delete from account where ecpd_id = ${ecpdId} and account_name = ${accountName}`);

/** A primary account is one that manages others. */
export const isPrimaryAccount = async (db: Db, { ecpdId, accountName }: Tenant): Promise<boolean> =>
  (
    await db.one<{ found: boolean }>(sql`
      select exists (select from managed_account where ecpd_id = ${ecpdId} and paccount_name = ${accountName}) as found`)
  ).found;

export interface ManagedAccount {
  readonly accountName: string;
  readonly paccountName: string;
  readonly skuName: string;
  readonly state: 'added' | 'provisioned' | 'cancelled';
  readonly txid: string;
}

const MANAGED = trusted(
  'account_name as "accountName", paccount_name as "paccountName", sku_name as "skuName", state, txid',
);

/** How the account is managed for a service, if it is. */
export const findManagedAccount = (db: Db, { ecpdId, accountName }: Tenant, serviceName: string) =>
  db.maybe<ManagedAccount>(sql`
    select ${MANAGED} from managed_account
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}`);

/** A profile with more accounts than this under one of them is not known. */
const MANAGED_MAX = 10_000;

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
