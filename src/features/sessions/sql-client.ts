import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';

export interface ClientRow {
  readonly clientId: string;
  readonly secretHash: string | null;
  readonly previousSecretHash: string | null;
  readonly previousSecretUntil: Date | null;
  readonly disabledAt: Date | null;
}

const selectClient = (clientId: string) => sql`
  select client_id as "clientId", secret_hash as "secretHash", previous_secret_hash as "previousSecretHash",
         previous_secret_until as "previousSecretUntil", disabled_at as "disabledAt"
  from client where client_id = ${clientId}`;

export const findClient = (db: Db, clientId: string) => db.maybe<ClientRow>(selectClient(clientId));

/** Serialises the token requests of one client: concurrent ones must get the same token. */
export const lockClient = (db: Db, clientId: string) =>
  db.maybe<ClientRow>(sql`${selectClient(clientId)} for update`);

export const listClients = (
  db: Db,
  { after, search, limit }: { after: string; search: string | undefined; limit: number },
) =>
  db.many<{ clientId: string; createdAt: Date; disabledAt: Date | null }>(sql`
    select client_id as "clientId", created_at as "createdAt", disabled_at as "disabledAt"
    from client where client_id > ${after} ${search === undefined ? sql`` : sql`and starts_with(client_id, ${search})`}
    order by client_id limit ${limit}`);

export const setClientSecret = async (
  db: Db,
  { clientId, secretHash, oldUntil }: { clientId: string; secretHash: string; oldUntil: Date | null },
): Promise<boolean> =>
  (await db.exec(sql`
    update client set secret_hash = ${secretHash},
      previous_secret_hash = case when ${oldUntil}::timestamptz is null then null else secret_hash end,
      previous_secret_until = ${oldUntil}
    where client_id = ${clientId}`)) === 1;

export const setClientDisabled = async (
  db: Db,
  clientId: string,
  disabledAt: Date | null,
): Promise<boolean> =>
  (await db.exec(sql`
    update client set disabled_at = case when ${disabledAt}::timestamptz is null then null else coalesce(disabled_at, ${disabledAt}) end
    where client_id = ${clientId}`)) === 1;

export interface TokenRow {
  readonly tokenHash: string;
  readonly clientId: string;
  readonly keyId: string;
  readonly nonce: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

export const findLiveToken = (db: Db, clientId: string, now: Date) =>
  db.maybe<TokenRow>(sql`
    select token_hash as "tokenHash", client_id as "clientId", key_id as "keyId", nonce, issued_at as "issuedAt",
           expires_at as "expiresAt"
    from client_token where client_id = ${clientId} and expires_at > ${now} and revoked_at is null
    order by expires_at desc limit 1`);

export const insertToken = (db: Db, token: TokenRow) =>
  db.exec(sql`
    insert into client_token (token_hash, client_id, key_id, nonce, issued_at, expires_at)
    values (${token.tokenHash}, ${token.clientId}, ${token.keyId}, ${token.nonce}, ${token.issuedAt}, ${token.expiresAt})`);

/** Tokens of disabled clients are invalid. */
export const findToken = (db: Db, tokenHash: string) =>
  db.maybe<{ clientId: string; expiresAt: Date }>(sql`
    select t.client_id as "clientId", t.expires_at as "expiresAt"
    from client_token t join client c using (client_id)
    where t.token_hash = ${tokenHash} and t.revoked_at is null and c.disabled_at is null`);

export const revokeToken = async (db: Db, clientId: string, tokenHash: string, now: Date): Promise<boolean> =>
  (await db.exec(sql`
    update client_token set revoked_at = ${now}
    where token_hash = ${tokenHash} and client_id = ${clientId} and revoked_at is null`)) === 1;

export const revokeTokensOf = (db: Db, clientId: string, now: Date) =>
  db.exec(
    sql`update client_token set revoked_at = ${now} where client_id = ${clientId} and revoked_at is null`,
  );

export const deleteTokensBefore = (db: Db, before: Date, limit: number) =>
  db.exec(sql`
    delete from client_token where token_hash in (
      select token_hash from client_token where expires_at < ${before} limit ${limit})`);
