import pg from 'pg';
import { withConnection } from '../db/connection.ts';
import { BackupError, type Header, type TableHead } from './format.ts';

/** With these settings a value has the same text on every server. */
const TEXT_SETTINGS = `set datestyle = 'ISO'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set bytea_output = 'hex'; set extra_float_digits = 3; set client_encoding = 'UTF8'; set statement_timeout = 0;
  set idle_in_transaction_session_timeout = 0; set lock_timeout = '30s'`;

/** Opens a dedicated connection, because everything happens in one transaction. */
export const withSession = <T>(
  url: string,
  name: 'backup' | 'restore',
  work: (client: pg.Client) => Promise<T>,
): Promise<T> =>
  withConnection(
    url,
    `linekeeper-${name}`,
    (reason, cause) => new BackupError(reason, { cause }),
    async (client) => {
      await client.query(TEXT_SETTINGS);
      return work(client);
    },
  );

const { escapeIdentifier } = pg;
export const quoted = (names: readonly string[]) => names.map(escapeIdentifier).join(', ');

const OWN = `c.relnamespace = current_schema()::regnamespace
  and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')`;

export async function listTables(client: pg.Client): Promise<TableHead[]> {
  const { rows } = await client.query<TableHead>(`
    select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where ${OWN} and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = ''
    group by c.relname order by c.relname`);
  return rows;
}

type Part = NonNullable<Header['parts']>[number];

export async function listParts(client: pg.Client): Promise<Part[]> {
  const { rows } = await client.query<Part>(`
    select c.relname as name, p.relname as of, pg_get_expr(c.relpartbound, c.oid) as days
    from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
    where ${OWN} and c.relkind = 'r' order by c.relname`);
  return rows;
}

export const makePart = (client: pg.Client, { name, of, days }: Part) =>
  client.query(`create table if not exists ${quoted([name])} partition of ${quoted([of])} ${days}`);

/** Copies the rows of a table, including those of its partitions. */
export const copyTo = ({ table, columns }: TableHead) =>
  `copy (select ${quoted(columns)} from ${quoted([table])}) to stdout`;

export async function listSequences(client: pg.Client): Promise<Header['sequences']> {
  const { rows: found } = await client.query<{ table: string; column: string; sequence: string }>(`
    select c.relname as table, a.attname as column,
      pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where ${OWN} and c.relkind = 'r' and a.attidentity <> '' order by 1, 2`);
  const sequences = [];
  for (const { table, column, sequence } of found) {
    const { rows } = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${sequence}`,
    );
    sequences.push({ table, column, ...rows[0]! });
  }
  return sequences;
}

export const setSequence = (
  client: pg.Client,
  { table, column, value, called }: Header['sequences'][number],
) =>
  client.query('select setval(pg_get_serial_sequence(quote_ident($1), $2), $3::bigint, $4)', [
    table,
    column,
    value,
    called,
  ]);

/** Statements that drop everything that migrations may have created. */
export async function listDrops(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(`
    select format('drop table if exists %I cascade', c.relname) as text
      from pg_class c where ${OWN} and c.relkind in ('r', 'p')
    union all
    select format('drop routine if exists %s cascade', c.oid::regprocedure) from
      (select oid, pronamespace as relnamespace from pg_proc) c where ${OWN}`);
  return rows.map(({ text }) => text);
}

/** Rows are loaded table by table, not in the order of references: these are added, and so checked, at the end. */
export async function listReferences(client: pg.Client): Promise<{ drop: string; add: string }[]> {
  const { rows } = await client.query<{ drop: string; add: string }>(`
    select format('alter table %I drop constraint %I', c.relname, k.conname) as drop,
      format('alter table %I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as add
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where ${OWN} and k.contype = 'f' order by c.relname, k.conname`);
  return rows;
}
