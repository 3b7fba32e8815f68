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
    where c.relkind = 'r' order by c.relname, a.attnum`);

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
    select c.relname as table, replace(pg_get_functiondef(t.tgfoid), ' public.', ' ') || ';' || chr(10)
      || replace(pg_get_triggerdef(t.oid), ' public.', ' ') as text
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and not t.tgisinternal order by c.relname, t.tgname`);

/** The sum of all migrations, read back from the server's own catalogue. */
export async function schemaText(db: Db): Promise<string> {
  const [columns, constraints, indexes, triggers] = [
    await listColumns(db),
    await listConstraints(db),
    await listIndexes(db),
    await listTriggers(db),
  ];
  const tables = [...new Set(columns.map(({ table }) => table))];
  const of = (rows: readonly Column[], table: string) =>
    rows.filter((row) => row.table === table).map(({ text }) => text);
  const blocks = tables.map((table) => {
    const lines = [...of(columns, table), ...of(constraints, table)].map((line) => `  ${line}`);
    return [
      `create table ${table} (`,
      lines.join(',\n'),
      ');',
      ...[...of(indexes, table), ...of(triggers, table)].map((line) => `${line};`),
    ].join('\n');
  });
  return `-- The sum of migrations/, written by: npm run generate\n\n${blocks.join('\n\n')}\n`;
}
