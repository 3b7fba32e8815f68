import type { AccountName, EcpdId } from '../../kernel/account-name.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql, trusted } from '../../platform/db/sql.ts';

interface UserRow {
  readonly username: string;
  readonly passwordHash: string | null;
  readonly disabledAt: Date | null;
}

const selectUser = (username: string) => sql`
  select username, password_hash as "passwordHash", disabled_at as "disabledAt" from ws_user where username = ${username}`;

export const findUser = (db: Db, username: string) => db.maybe<UserRow>(selectUser(username));

/** Locks the user until the transaction ends. */
export const lockUser = (db: Db, username: string) =>
  db.maybe<UserRow>(sql`${selectUser(username)} for no key update`);

interface ListedUser {
  readonly username: string;
  readonly accounts: string[];
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  readonly lockedUntil: Date | null;
  readonly consoleLockedUntil: Date | null;
}

interface UserPage {
  readonly after: string;
  readonly accountName: string | undefined;
  /** A prefix of the name. */
  readonly search: string | undefined;
  readonly limit: number;
}

export const listUsers = (db: Db, page: UserPage) =>
  db.many<ListedUser>(sql`
    select u.username, u.created_at as "createdAt", u.disabled_at as "disabledAt", f.locked_until as "lockedUntil",
      c.locked_until as "consoleLockedUntil",
      array(select account_name from user_account a where a.username = u.username order by position limit 1000) as accounts
    from ws_user u
    left join login_failure f on f.username = u.username and f.place = 'api'
    left join login_failure c on c.username = u.username and c.place = 'console'
    where u.username > ${page.after} ${page.search === undefined ? sql`` : sql`and starts_with(u.username, ${page.search})`}
      and (${page.accountName ?? null}::text is null
           or exists (select 1 from user_account a where a.username = u.username and a.account_name = ${page.accountName ?? null}))
    order by u.username limit ${page.limit}`);

export const setPasswordHash = async (db: Db, username: string, passwordHash: string): Promise<boolean> =>
  (await db.exec(sql`update ws_user set password_hash = ${passwordHash} where username = ${username}`)) === 1;

export const setUserDisabled = async (db: Db, username: string, disabledAt: Date | null): Promise<boolean> =>
  (await db.exec(sql`
    update ws_user set disabled_at = case when ${disabledAt}::timestamptz is null then null else coalesce(disabled_at, ${disabledAt}) end
    where username = ${username}`)) === 1;

interface SessionRow {
  readonly username: string;
  readonly lastUsedAt: Date;
  readonly accounts: readonly { readonly accountName: AccountName; readonly ecpdId: EcpdId }[];
}

export const insertSession = (
  db: Db,
  session: { tokenHash: string; username: string; clientId: string; now: Date },
) =>
  db.exec(sql`
    insert into session (token_hash, username, client_id, created_at, last_used_at)
    values (${session.tokenHash}, ${session.username}, ${session.clientId}, ${session.now}, ${session.now})`);

const ACCOUNTS_OF_USER = trusted(`(
  select coalesce(json_agg(json_build_object('accountName', a.account_name, 'ecpdId', a.ecpd_id) order by a.position), '[]')
  from user_account a where a.username = u.username)`);

/** The accounts and the password hash of a user. Disabled users are treated as unknown. */
export const findUserAccess = (db: Db, username: string) =>
  db.maybe<Pick<SessionRow, 'accounts'> & { readonly passwordHash: string | null }>(sql`
    select u.password_hash as "passwordHash", ${ACCOUNTS_OF_USER} as accounts
    from ws_user u where u.username = ${username} and u.disabled_at is null`);

/** Ended sessions and those of disabled users are unknown. Expired ones are found, to be reported as expired. */
export const findSession = (db: Db, tokenHash: string) =>
  db.maybe<SessionRow>(sql`
    select s.username, s.last_used_at as "lastUsedAt", ${ACCOUNTS_OF_USER} as accounts
    from session s join ws_user u using (username)
    where s.token_hash = ${tokenHash} and s.ended_at is null and u.disabled_at is null`);

export const endSession = async (db: Db, tokenHash: string, now: Date): Promise<boolean> =>
  (await db.exec(
    sql`update session set ended_at = ${now} where token_hash = ${tokenHash} and ended_at is null`,
  )) === 1;

export const endSessionsOf = (db: Db, username: string, now: Date, except = '') =>
  db.exec(sql`
    update session set ended_at = ${now} where username = ${username} and ended_at is null and token_hash <> ${except}`);

/** Call it before an account is deleted: the table need not have a foreign key to accounts. */
export const deleteAccountOfUsers = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.exec(sql`delete from user_account where ecpd_id = ${ecpdId} and account_name = ${accountName}`);

/** Counts users with access to any account of the profile. */
export const countUsersOf = (db: Db, ecpdId: string): Promise<number> =>
  db.value<number>(
    sql`select count(distinct username)::int as count from user_account where ecpd_id = ${ecpdId}`,
  );

/** Writes many uses in one statement. An older time never overwrites a newer one. */
export const recordUses = (db: Db, uses: readonly { tokenHash: string; at: Date }[]) =>
  db.exec(sql`
    update session set last_used_at = used.at
    from unnest(${uses.map((use) => use.tokenHash)}::text[], ${uses.map((use) => use.at)}::timestamptz[]) as used (hash, at)
    where session.token_hash = used.hash and session.last_used_at < used.at`);

export const setLastUse = (db: Db, tokenHash: string, at: Date) =>
  db.exec(sql`update session set last_used_at = ${at} where token_hash = ${tokenHash}`);

export const deleteSessionsBefore = (db: Db, before: Date, limit: number) =>
  db.exec(sql`
    delete from session where token_hash in (
      select token_hash from session where last_used_at < ${before} limit ${limit})`);
