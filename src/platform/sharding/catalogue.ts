import pg from 'pg';
import { endConnection } from '../db/connection.ts';

/** The facts about a table that decide where its rows may be. */
export interface TableFacts {
  readonly name: string;
  readonly primaryKey: readonly string[];
  /** Indexes that forbid duplicates, including that of the primary key. */
  readonly unique: readonly { readonly name: string; readonly columns: readonly string[] }[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly triggers: readonly string[];
  readonly identities: readonly { readonly column: string; readonly type: string }[];
  /** Undefined without such a column. */
  readonly keyType: string | undefined;
  /** Its current placement; undefined for an ordinary table. */
  readonly placed: 'distributed' | 'reference' | undefined;
  /** Whether the coordinator's own files contain rows: for a placed table, these are invisible left-overs. */
  readonly hasOwnRows: boolean;
}

export interface ForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly to: string;
  readonly toColumns: readonly string[];
  /** What deleting the referenced row does: a letter of pg_constraint. */
  readonly onDelete: string;
}

const COLUMNS = (of: string, numbers: string) => `(
  select coalesce(json_agg(a.attname order by n.nth), '[]') from unnest(${numbers}) with ordinality as n (attnum, nth)
  join pg_attribute a on a.attrelid = ${of} and a.attnum = n.attnum)`;

const TABLES = (key: string) => `
  select c.relname as name,
    (select ${COLUMNS('c.oid', 'p.conkey')} from pg_constraint p where p.conrelid = c.oid and p.contype = 'p') as "primaryKey",
    (select coalesce(json_agg(json_build_object('name', i.indexrelid::regclass::text,
        'columns', ${COLUMNS('c.oid', 'i.indkey::int2[]')}) order by i.indexrelid::regclass::text), '[]')
      from pg_index i where i.indrelid = c.oid and (i.indisunique or i.indisexclusion)) as unique,
    (select coalesce(json_agg(json_build_object('name', f.conname, 'columns', ${COLUMNS('c.oid', 'f.conkey')},
        'to', f.confrelid::regclass::text, 'toColumns', ${COLUMNS('f.confrelid', 'f.confkey')},
        'onDelete', f.confdeltype) order by f.conname), '[]')
      from pg_constraint f where f.conrelid = c.oid and f.contype = 'f') as "foreignKeys",
    (select coalesce(json_agg(t.tgname order by t.tgname), '[]') from pg_trigger t
      where t.tgrelid = c.oid and not t.tgisinternal) as triggers,
    (select coalesce(json_agg(json_build_object('column', a.attname, 'type', format_type(a.atttypid, null))), '[]')
      from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '') as identities,
    (select format_type(a.atttypid, null) from pg_attribute a where a.attrelid = c.oid and a.attname = '${key}') as "keyType",
    (select sum(pg_relation_size(relid)) from pg_partition_tree(c.oid)) > 0 or pg_relation_size(c.oid) > 0 as "hasOwnRows"
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname`;

/** Not from citus_tables, which waits for the sizes of tables that a migration has just locked. */
const PLACED = `
  select logicalrelid::text as name, case partmethod when 'h' then 'distributed' else 'reference' end as kind
  from pg_dist_partition where partmethod = 'h' or (partmethod = 'n' and repmodel = 't')`;

/** All tables, by name; partitions are placed with their table. */
export async function readTables(client: pg.Client, key: string, sharded: boolean): Promise<TableFacts[]> {
  const { rows } = await client.query<Omit<TableFacts, 'placed' | 'keyType'> & { keyType: string | null }>(
    TABLES(key),
  );
  const placed = new Map<string, TableFacts['placed']>();
  if (sharded) {
    const found = await client.query<{ name: string; kind: 'distributed' | 'reference' }>(PLACED);
    for (const { name, kind } of found.rows) placed.set(name, kind);
  }
  return rows.map((row) => ({
    ...row,
    primaryKey: row.primaryKey ?? [],
    keyType: row.keyType ?? undefined,
    placed: placed.get(row.name),
  }));
}

/** Whether the extension is created in this database, only installed on the server, or neither. */
export async function findExtension(client: pg.Client): Promise<'created' | 'available' | 'absent'> {
  const { rows } = await client.query<{ created: boolean }>(
    `select installed_version is not null as created from pg_available_extensions where name = 'citus'`,
  );
  if (rows[0] === undefined) return 'absent';
  return rows[0].created ? 'created' : 'available';
}

/** The tables of a database if any of them is distributed; otherwise undefined. */
export async function readShardedTables(client: pg.Client, key: string): Promise<TableFacts[] | undefined> {
  if ((await findExtension(client)) !== 'created') return undefined;
  const tables = await readTables(client, key, true);
  return tables.some(({ placed }) => placed !== undefined) ? tables : undefined;
}

/** The same over a connection of its own. */
export async function listShardedTables(url: string, key: string): Promise<TableFacts[] | undefined> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    application_name: 'linekeeper-start',
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return await readShardedTables(client, key);
  } finally {
    await endConnection(client);
  }
}
