import type { Db } from '../../../src/platform/db/db.ts';

/** A row that was changed, deleted or inserted. */
export interface Change {
  readonly table: string;
  readonly key: string;
  readonly device: string | null;
  readonly isOld: boolean;
}

/** Tables that any request may change: its own traces, and when a user was last seen. */
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
}

const findTables = (db: Db): Promise<readonly Table[]> =>
  db.many<Table>({
    text: `
      select c.relname as name, array_agg(a.attname::text order by a.attnum) as keys
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema
      join pg_constraint p on p.conrelid = c.oid and p.contype = 'p'
      join pg_attribute a on a.attrelid = c.oid and a.attnum = any(p.conkey)
      where c.relkind = 'r' and c.relname <> all($1::text[])
      group by c.relname order by c.relname`,
    values: [TRACES],
  });

/** Every write of a row records its table and key, with digests of the row before and after. */
const LEDGER = `
  create schema watching;
  create table watching.written (nr bigint generated always as identity, name text, key text, device text,
    before text, after text);

  create function watching.note_row() returns trigger language plpgsql as $$
  declare
    was jsonb := to_jsonb(old);
    became jsonb := to_jsonb(new);
    key_was text := (select string_agg(was->>k, ' ' order by n) from unnest(tg_argv[1:]) with ordinality as t(k, n));
    key_became text := (select string_agg(became->>k, ' ' order by n) from unnest(tg_argv[1:]) with ordinality as t(k, n));
  begin
    if key_was = key_became then
      insert into watching.written (name, key, device, before, after)
      values (tg_argv[0], key_was, was->>'device_id', md5(was::text), md5(became::text));
    else
      insert into watching.written (name, key, device, before, after)
      select tg_argv[0], key_was, was->>'device_id', md5(was::text), null where was is not null
      union all
      select tg_argv[0], key_became, became->>'device_id', null, md5(became::text) where became is not null;
    end if;
    return null;
  end $$;

  create function watching.refuse() returns trigger language plpgsql as $$
  begin
    raise exception 'rows that are cut off cannot be noted';
  end $$`;

const watchTable = ({ name, keys }: Table): string => `
  create trigger watching_rows after insert or update or delete on ${name} for each row
    execute function watching.note_row(${[name, ...keys].map((text) => `'${text}'`).join(', ')});
  create trigger watching_all before truncate on ${name} execute function watching.refuse();
  alter table ${name} enable always trigger watching_rows`;

export interface RowWatch {
  /** Starts recording. */
  begin(): Promise<void>;
  /** Rows that differ from their state at the beginning, regardless of changes in between. */
  changes(): Promise<readonly Change[]>;
}

/** Reports the changes of every row of the service without reading all rows. */
export async function watchRows(db: Db): Promise<RowWatch> {
  const statements = [LEDGER, ...(await findTables(db)).map(watchTable)];
  await db.exec({ text: `do $do$ begin ${statements.join(';')}; end $do$`, values: [] });
  return {
    begin: async () => void (await db.exec({ text: 'delete from watching.written', values: [] })),
    changes: () =>
      db.many<Change>({
        text: `
          select name as table, key, device, before is not null as "isOld"
          from (select name, key, (array_agg(device order by nr))[1] as device,
                  (array_agg(before order by nr))[1] as before, (array_agg(after order by nr desc))[1] as after
                from watching.written group by name, key) as row
          where before is distinct from after order by name, key`,
        values: [],
      }),
  };
}

const devicesIn = (changes: readonly Change[]): ReadonlySet<string> =>
  new Set(changes.flatMap(({ device }) => device ?? []));

const byTable = (changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> =>
  Map.groupBy(changes, ({ table }) => table);

/**
 * Changes beyond those of the valid request: lines that it does not name (or does not change, if it names none), or
 * more existing rows than it changes in all.
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
