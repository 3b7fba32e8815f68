import type { Db } from '../../../src/platform/db/db.ts';

interface Row {
  readonly table: string;
  readonly key: string;
  readonly device: string | null;
  readonly digest: string;
}

/** Every row of the service by its table and key. */
export type Rows = ReadonlyMap<string, Row>;

export interface Change {
  readonly table: string;
  readonly key: string;
  readonly device: string | null;
  /** It was there before: it was changed or removed. */
  readonly isOld: boolean;
}

/** What happens beside any request: its own traces, and the time at which somebody was last seen. */
const TRACES = [
  'audit_entry',
  'idempotency_key',
  'job',
  'console_session',
  'user_session',
  'client_token',
  'login_failure',
  'migration',
  'node',
];

interface Table {
  readonly name: string;
  readonly keys: readonly string[];
  readonly hasDevice: boolean;
}

/** Reads all rows in one statement that is made from what the database says about its tables. */
export async function rowReader(db: Db): Promise<() => Promise<Rows>> {
  const tables = await db.many<Table>({
    text: `
      select c.relname as name,
        array_agg(a.attname::text order by a.attnum) filter (where a.attnum = any(p.conkey)) as keys,
        bool_or(a.attname = 'device_id') as "hasDevice"
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_constraint p on p.conrelid = c.oid and p.contype = 'p'
      where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all($1::text[])
      group by c.relname order by c.relname`,
    values: [TRACES],
  });
  const text = tables
    .map(
      ({ name, keys, hasDevice }) => `
        select '${name}' as table, concat_ws(' ', ${keys.map((key) => `t.${key}`).join(', ')}) as key,
          ${hasDevice ? 't.device_id::text' : 'null'} as device, md5(t::text) as digest from ${name} t`,
    )
    .join(' union all ');
  return async () =>
    new Map((await db.many<Row>({ text, values: [] })).map((row) => [`${row.table} ${row.key}`, row]));
}

export function changesBetween(before: Rows, after: Rows): readonly Change[] {
  const old = [...before].filter(([key, row]) => after.get(key)?.digest !== row.digest);
  const added = [...after].filter(([key]) => !before.has(key));
  return [
    ...old.map(([, row]) => ({ ...row, isOld: true })),
    ...added.map(([, row]) => ({ ...row, isOld: false })),
  ];
}

const devicesIn = (changes: readonly Change[]): ReadonlySet<string> =>
  new Set(changes.flatMap(({ device }) => device ?? []));

const byTable = (changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> =>
  Map.groupBy(changes, ({ table }) => table);

/**
 * What was touched beyond the right request: lines that it does not name (or touch, where it names none), or more rows that
 * existed than it touches at all.
 */
export function beyond(
  right: readonly Change[],
  changes: readonly Change[],
  named: ReadonlySet<string> = devicesIn(right),
): readonly string[] {
  const others = changes.filter(({ device }) => device !== null && !named.has(device));
  const limits = byTable(right);
  const limitOf = (table: string): number => limits.get(table)?.length ?? 0;
  const wider = [...byTable(changes.filter(({ isOld }) => isOld))].filter(
    ([table, touched]) => touched.length > limitOf(table),
  );
  return [
    ...others.map(({ table, device }) => `${table}: the line ${device}`),
    ...wider.map(([table, touched]) => `${table}: ${touched.length} rows, ${limitOf(table)} were named`),
  ];
}
