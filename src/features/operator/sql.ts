import type { Db } from '../../platform/db/db.ts';
import { joinSql, sql, trusted } from '../../platform/db/sql.ts';

interface KeyRow {
  readonly name: string;
  readonly scopes: string[];
}

export const findKey = (db: Db, keyHash: string) =>
  db.maybe<KeyRow>(sql`select name, scopes from operator_key where key_hash = ${keyHash}`);

export const listKeys = (db: Db) =>
  db.many<KeyRow & { createdAt: Date; createdBy: string }>(sql`
    select name, scopes, created_at as "createdAt", created_by as "createdBy" from operator_key order by name limit 1000`);

export const insertKey = async (
  db: Db,
  key: KeyRow & { readonly keyHash: string; readonly createdAt: Date; readonly createdBy: string },
): Promise<boolean> =>
  (await db.exec(sql`
    insert into operator_key (name, key_hash, scopes, created_at, created_by)
    values (${key.name}, ${key.keyHash}, ${key.scopes}, ${key.createdAt}, ${key.createdBy})
    on conflict do nothing`)) === 1;

export const isKeyName = (db: Db, name: string) =>
  db.value<boolean>(sql`select exists (select from operator_key where name = ${name}) as known`);

export const deleteKey = async (db: Db, name: string): Promise<boolean> =>
  (await db.exec(sql`delete from operator_key where name = ${name}`)) === 1;

/** All keys as JSON text, for another database of the same version. */
export const copyKeys = (db: Db) =>
  db.value<string>(sql`select coalesce(json_agg(k), '[]')::text as keys from operator_key k`);

export const replaceKeys = (db: Db, keys: string) =>
  db.tx(async (tx) => {
    await tx.exec(sql`delete from operator_key`);
    await tx.exec(
      sql`insert into operator_key select * from json_populate_recordset(null::operator_key, ${keys}::json)`,
    );
  });

/** Tables that a reset keeps: migrations, operator keys, console sessions, the audit log, the clock and the nodes. */
const KEPT_TABLES = [
  'schema_migration',
  'operator_key',
  'audit_entry',
  'node',
  'domain_clock',
  'console_session',
];

export async function truncateDomain(db: Db): Promise<void> {
  const tables = await db.many<{ name: string }>(sql`
    select quote_ident(tablename) as name from pg_tables
    where schemaname = current_schema() and tablename <> all(${KEPT_TABLES}::text[]) order by 1`);
  await db.exec(
    sql`truncate ${joinSql(
      tables.map(({ name }) => trusted(name)),
      ', ',
    )} restart identity cascade`,
  );
}
