import type { Db } from '../../src/platform/db/db.ts';
import { sql } from '../../src/platform/db/sql.ts';

interface Column {
  readonly table: string;
  readonly text: string;
}

const listColumns = (db: Db) =>
  db.many<Column>(sql`
    select c.relname as table,
      format('%I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then ' not null' else '' end,
        case when a.attidentity <> '' then ' generated always as identity'
             when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end) as text
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind in ('r', 'p') and not c.relispartition order by c.relname, a.attnum`);

/** The partition key of a table, and its partitions. */
const listParts = (db: Db) =>
  db.many<{ table: string; by: string; parts: string[] }>(sql`
    select c.relname as table, pg_get_partkeydef(c.oid) as by, array(
      select format('create table %I partition of %I %s', p.relname, c.relname, pg_get_expr(p.relpartbound, p.oid))
      from pg_inherits i join pg_class p on p.oid = i.inhrelid where i.inhparent = c.oid order by p.relname) as parts
    from pg_partitioned_table t join pg_class c on c.oid = t.partrelid`);

/** Not-null constraints are part of the column's line; servers before 18 do not list them at all. */
const listConstraints = (db: Db) =>
  db.many<Column>(sql`
    select c.relname as table, format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid)) as text
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and k.contype <> 'n'
    order by c.relname, array_position(array['p','u','f','c'], k.contype::text), k.conname`);

const listIndexes = (db: Db) =>
  db.many<Column>(sql`
    select i.tablename as table, replace(i.indexdef, ' public.', ' ') as text from pg_indexes i
    where i.schemaname = 'public'
      and not exists (select from pg_constraint k where k.conname = i.indexname and k.contype in ('p', 'u'))
    order by i.tablename, i.indexname`);

const listTriggers = (db: Db) =>
  db.many<Column>(sql`
    select c.relname as table, replace(pg_get_triggerdef(t.oid), ' public.', ' ') as text
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and not t.tgisinternal
    order by c.relname, t.tgname`);

const listFunctions = async (db: Db) =>
  (
    await db.many<{ text: string }>(sql`
      select replace(pg_get_functiondef(p.oid), ' public.', ' ') as text
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace and n.nspname = 'public' order by p.proname`)
  ).map(({ text }) => `${text.trimEnd()};`);

/** The result of all migrations, read from the server's catalogue. */
export async function schemaText(db: Db): Promise<string> {
  const [columns, constraints, indexes, triggers, divided] = [
    await listColumns(db),
    await listConstraints(db),
    await listIndexes(db),
    await listTriggers(db),
    await listParts(db),
  ];
  const tables = [...new Set(columns.map(({ table }) => table))];
  const of = (rows: readonly Column[], table: string) =>
    rows.filter((row) => row.table === table).map(({ text }) => text);
  const blocks = tables.map((table) => {
    const lines = [...of(columns, table), ...of(constraints, table)].map((line) => `  ${line}`);
    const { by, parts = [] } = divided.find((each) => each.table === table) ?? {};
    return [
      `create table ${table} (`,
      lines.join(',\n'),
      by === undefined ? ');' : `) partition by ${by};`,
      ...[...parts, ...of(indexes, table), ...of(triggers, table)].map((line) => `${line};`),
    ].join('\n');
  });
  const all = [...blocks, ...(await listFunctions(db))];
  return `-- The sum of migrations/, written by: npm run generate\n\n${all.join('\n\n')}\n`;
}
