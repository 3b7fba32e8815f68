import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';

export interface ConsoleSession {
  readonly username: string | null;
  readonly operatorKeyHash: string | null;
  readonly passwordProof: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

export const insertSession = (
  db: Db,
  tokenHash: string,
  { username, operatorKeyHash, passwordProof, createdAt, lastUsedAt }: ConsoleSession,
) =>
  db.exec(sql`
    insert into console_session (token_hash, username, operator_key_hash, password_proof, created_at, last_used_at)
    values (${tokenHash}, ${username}, ${operatorKeyHash}, ${passwordProof}, ${createdAt}, ${lastUsedAt})`);

export const findSession = (db: Db, tokenHash: string) =>
  db.maybe<ConsoleSession>(sql`
    select username, operator_key_hash as "operatorKeyHash", password_proof as "passwordProof",
      created_at as "createdAt", last_used_at as "lastUsedAt"
    from console_session where token_hash = ${tokenHash}`);

export const recordUse = (db: Db, tokenHash: string, at: Date) =>
  db.exec(sql`
    update console_session set last_used_at = ${at} where token_hash = ${tokenHash} and last_used_at < ${at}`);

export const deleteSession = (db: Db, tokenHash: string) =>
  db.exec(sql`delete from console_session where token_hash = ${tokenHash}`);

export const deleteSessionsBefore = (db: Db, createdBefore: Date, limit: number) =>
  db.exec(sql`
    delete from console_session where token_hash in (
      select token_hash from console_session where created_at < ${createdBefore} order by created_at limit ${limit})`);
