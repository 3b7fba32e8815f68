import type { AccountName } from '../../kernel/account-name.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import type { Account } from './account.ts';

const COLUMNS =
  trusted(`ecpd_id as "ecpdId", account_name as "accountName", organization_name as "organizationName",
  time_zone as "timeZone", bill_cycle_day as "billCycleDay", boundaries, real_time_rating as "realTimeRating",
  aggregated_billing as "aggregatedBilling", location_registered as "locationRegistered", currency,
  contact_email as "contactEmail", created_at as "createdAt"`);

/** What decides where the cycles of an account `a` begin. */
export const BOUNDARIES = trusted(
  `a.time_zone as "timeZone", a.bill_cycle_day as "billCycleDay", a.boundaries`,
);

const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
/** Matches a part of the account's name, or of its organization's. */
export const isFoundBy = (search: string) =>
  sql`(account_name like ${containing(search)} or organization_name ilike ${containing(search)})`;

/**
 * Finds an account by name alone, to resolve the account of a request to a tenant. Queries only the server of the account.
 * An account that is being deleted is found only on demand.
 */
export async function findAccountByName(
  db: Db,
  accountName: AccountName,
  { closed = false } = {},
): Promise<Account | undefined> {
  const known = await db.maybe<Pick<Tenant, 'ecpdId'>>(sql`
    select ecpd_id as "ecpdId" from account_directory
    where account_name = ${accountName} and (closed_at is null or ${closed}::boolean)`);
  return known && findAccount(db, { ecpdId: known.ecpdId, accountName });
}

export const findAccount = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.maybe<Account>(
    sql`select ${COLUMNS} from account where ecpd_id = ${ecpdId} and account_name = ${accountName}`,
  );

interface AccountFilter {
  readonly after: string;
  readonly ecpdId: string | undefined;
  /** A part of the name of an account or of its organization, or the profile's id. */
  readonly search?: string | undefined;
  readonly limit: number;
}

const found = (search: string) => sql`and (${isFoundBy(search)} or ecpd_id = ${search})`;

export const listAccounts = (db: Db, { after, ecpdId, search, limit }: AccountFilter) =>
  db.many<Account>(sql`
    select ${COLUMNS} from account
    where account_name > ${after} and (${ecpdId ?? null}::text is null or ecpd_id = ${ecpdId ?? null})
      ${search === undefined ? sql`` : found(search)}
    order by account_name limit ${limit}`);

/** More than any profile has, to bound the answer. */
const NAMES_MAX = 10_000;

export const listAccountNames = (db: Db, ecpdId: string): Promise<AccountName[]> =>
  db.values<AccountName>(sql`
    select account_name as name from account where ecpd_id = ${ecpdId} order by account_name limit ${NAMES_MAX}`);

/** Call it before an account is deleted: it waits for transactions that write data with the account's name and hold its row. */
export const lockAccount = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.exec(sql`
    select 1 from account where ecpd_id = ${ecpdId} and account_name = ${accountName} for update`);

/** From now on nobody finds the account by its name. False if it was closed before. */
export const closeAccount = async (db: Db, { ecpdId, accountName }: Tenant, now: Date): Promise<boolean> =>
  (await db.exec(sql`
    update account_directory set closed_at = ${now}
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and closed_at is null`)) > 0;

/** Whether the account is being deleted. One that was added later under its name is not. */
export const isClosed = (db: Db, { ecpdId, accountName }: Tenant): Promise<boolean> =>
  db.value<boolean>(sql`
    select exists (
      select 1 from account_directory
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and closed_at is not null) as found`);

/** Accounts whose deletion began before then and has not ended. */
export const listClosedAccounts = (db: Db, before: Date, limit: number) =>
  db.many<Tenant>(sql`
    select ecpd_id as "ecpdId", account_name as "accountName" from account_directory
    where closed_at < ${before} order by closed_at limit ${limit}`);

/** Deletes the account and everything that refers to it. */
export async function deleteAccount(db: Db, { ecpdId, accountName }: Tenant): Promise<void> {
  await db.exec(sql`delete from account where ecpd_id = ${ecpdId} and account_name = ${accountName}`);
  await db.exec(
    sql`delete from account_directory where ecpd_id = ${ecpdId} and account_name = ${accountName}`,
  );
}

interface Customer {
  readonly ecpdId: string;
  readonly accountCount: number;
}

const AS_CUSTOMER = sql`p.ecpd_id as "ecpdId",
  (select count(*)::int from account a where a.ecpd_id = p.ecpd_id) as "accountCount"`;

/** Profiles in the order of their ids. The query across profiles takes no locks. */
export const listCustomers = (db: Db, { after, limit }: { readonly after: string; readonly limit: number }) =>
  db.many<Customer>(sql`
    select ${AS_CUSTOMER} from profile p where p.ecpd_id > ${after} order by p.ecpd_id limit ${limit}`);

export const findCustomer = (db: Db, ecpdId: string) =>
  db.maybe<Customer>(sql`select ${AS_CUSTOMER} from profile p where p.ecpd_id = ${ecpdId}`);

/** Locks the profile, so that transactions that create an account in it wait. Returns false if it no longer exists. */
export const lockProfile = async (db: Db, ecpdId: string): Promise<boolean> =>
  (await db.maybe(sql`select ecpd_id from profile where ecpd_id = ${ecpdId} for update`)) !== undefined;

/** Deletes the profile with its triggers, rate plan groups and notification groups. Its accounts were deleted before. */
export const deleteProfile = (db: Db, ecpdId: string) =>
  db.exec(sql`delete from profile where ecpd_id = ${ecpdId}`);
