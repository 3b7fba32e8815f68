import type { TObject, TSchema } from 'typebox';
import type { RowId } from '../chance/chance.ts';
import type { Ctx } from '../context/context.ts';
import { joinSql, type Query, sql, trusted } from '../db/sql.ts';
import type { FleetSection, Found, Selection, Step } from './section.ts';
import { missing, PROBLEMS_MAX } from './verify-entries.ts';

/** One parameter of a statement holds this many entries, or this many characters of them. */
const CHUNK = 1_000;
const CHUNK_LENGTH = 8 * 1024 * 1024;

interface Column {
  /** Default: the name of the member in snake case. */
  readonly column?: string;
  /** Default: derived from the schema of the member. */
  readonly type?: string;
  /** The value in a new row if the entry has none; null by default. */
  readonly absent?: (now: Date, rowId: RowId) => Query;
}

/** A section whose entries are rows of one table. */
interface TableSection
  extends Pick<FleetSection, 'name' | 'tenant' | 'scope' | 'check' | 'prepare' | 'verify'> {
  readonly entry: TObject;
  readonly table: string;
  /** Members that identify a row within its profile. */
  readonly key: readonly [string, ...string[]];
  /** Members that need more than a column of their name; one that no entry has is set only in new rows. */
  readonly columns?: Readonly<Record<string, Column>>;
  /** Members that `writeMore` stores elsewhere. */
  readonly apart?: readonly string[];
  /** Feeds lock the rows: changes of existing ones are written at the end of the import. */
  readonly changesLast?: true;
  /** Members that a new entry must have. */
  readonly needed?: readonly string[];
  /** The rows of one account, and the order of the export, if tenant and key do not determine them. */
  readonly export?: Partial<Selection>;
  /** Writes the parts of the entries outside the row: `entries` is a table `s` of position and body. */
  readonly writeMore?: (ctx: Ctx, ecpdId: string, entries: Query) => Promise<unknown>;
}

const columnName = (member: string) => member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const TYPES: Readonly<Record<string, string>> = {
  integer: 'bigint',
  number: 'numeric',
  boolean: 'boolean',
  array: 'text[]',
};
const typeOf = (schema: TSchema | undefined): string =>
  TYPES[(schema as { type?: string })?.type ?? ''] ?? 'text';

/** The staged entries of one profile, one parameter at a time: session tables are not joined with tenant tables. */
async function* chunksOf({ db }: Ctx, section: string, ecpdId: string): AsyncGenerator<Query> {
  for (let after = -1, isLast = false; !isLast; ) {
    const chunk = await db.one<{ last: number; isLast: boolean; entries: string | null }>(sql`
      select max(position) filter (where fits) as last, bool_and(fits) and count(*) < ${CHUNK} as "isLast",
        jsonb_agg(jsonb_build_object('position', position, 'body', body)) filter (where fits)::text as entries
      from (
        select position, body, row_number() over (order by position) = 1
          or sum(length(body::text)) over (order by position) <= ${CHUNK_LENGTH}::int as fits
        from (select position, body from staged_entry
              where section = ${section} and ecpd_id = ${ecpdId} and position > ${after}
              order by position limit ${CHUNK}) s) measured`);
    if (chunk.entries === null) return;
    ({ last: after, isLast } = chunk);
    yield sql`jsonb_to_recordset(${chunk.entries}::jsonb) as s (position int, body jsonb)`;
  }
}

const list = (texts: readonly string[]) => trusted(texts.join(', '));

/** The columns of a table section: their names in the row and in the entry, and the defaults of missing members. */
function describeColumns({ entry, tenant, key, columns = {}, apart = [] }: TableSection) {
  const schemas = entry.properties as Readonly<Record<string, TSchema>>;
  const isOwn = (member: string) => !apart.includes(member) && (tenant === 'none' || member !== 'ecpdId');
  const members = [...new Set([...Object.keys(schemas), ...Object.keys(columns)])].filter(isOwn);
  return members.map((member) => {
    const { column = columnName(member), type = typeOf(schemas[member]), absent } = columns[member] ?? {};
    return { member, column, type, absent, isKey: key.includes(member) };
  });
}

/**
 * Merges a chunk by one statement. A member that an entry does not have keeps its value, or gets the default in a new row.
 * Unchanged rows are neither written nor locked. Rows are locked in the order of their keys.
 */
function mergeInto(section: TableSection) {
  const { name, table, tenant, changesLast, writeMore } = section;
  const columns = describeColumns(section);
  const [keys, others] = [columns.filter(({ isKey }) => isKey), columns.filter(({ isKey }) => !isKey)];
  const tenantKey = tenant === 'none' ? [] : ['ecpd_id'];
  const into = trusted(table);
  const spelt = list(columns.map(({ member, type }) => `"${member}" ${type}`));
  const rest = others.map(({ column }) => column);
  const row = (alias: string) => list(rest.map((column) => `${alias}.${column}`));
  const replace = sql`do update set ${list(rest.map((column) => `${column} = excluded.${column}`))}
    where (${row('t')}) is distinct from (${row('excluded')})`;
  /** Condition for the existing row `k` of the entry `e`. */
  const same = (ecpdId: string) =>
    joinSql(
      [
        ...(tenant === 'none' ? [] : [sql`k.ecpd_id = ${ecpdId}`]),
        ...keys.map(({ member, column }) => trusted(`k.${column} = e."${member}"`)),
      ],
      ' and ',
    );
  const entryAs = (entries: Query) =>
    sql`${entries} cross join lateral jsonb_to_record(s.body) as e (${spelt})`;

  const isNew = trusted(`k.${keys[0]!.column} is null`);
  const given = others.map(({ member, column }) => `coalesce(e."${member}", k.${column})`);
  const changes = rest.length === 0 ? sql`false` : sql`(${list(given)}) is distinct from (${row('k')})`;

  const merge = ({ db, now, chance }: Ctx, ecpdId: string, entries: Query, which: Query) => {
    const rowId = chance.rowIds();
    return db.exec(sql`
      insert into ${into} as t (${list([...tenantKey, ...keys.map(({ column }) => column), ...rest])})
      select ${joinSql(
        [
          ...(tenant === 'none' ? [] : [sql`${ecpdId}`]),
          ...keys.map(({ member }) => trusted(`e."${member}"`)),
          ...others.map(
            ({ member, column, absent }) =>
              sql`coalesce(${trusted(`e."${member}", k.${column}`)}, ${absent?.(now(), rowId) ?? sql`null`})`,
          ),
        ],
        ', ',
      )}
      from ${entryAs(entries)} left join ${into} k on ${same(ecpdId)}
      where ${which}
      order by ${list(keys.map(({ member }) => `e."${member}"`))}
      on conflict (${list([...tenantKey, ...keys.map(({ column }) => column)])})
      ${rest.length === 0 ? sql`do nothing` : replace}`);
  };

  const findNew = ({ db }: Ctx, ecpdId: string, entries: Query, needed: readonly string[]) =>
    db.many<{ position: number; given: readonly string[] }>(sql`
      select s.position, array(select jsonb_object_keys(s.body)) as given
      from ${entryAs(entries)} left join ${into} k on ${same(ecpdId)}
      where k is null and not s.body ?& ${needed}::text[]
      order by s.position limit ${PROBLEMS_MAX}`);

  return {
    async write(ctx: Ctx, ecpdId: string) {
      for await (const entries of chunksOf(ctx, name, ecpdId)) {
        await merge(ctx, ecpdId, entries, changesLast ? isNew : sql`${isNew} or ${changes}`);
        await writeMore?.(ctx, ecpdId, entries);
      }
    },
    ...(changesLast && {
      async writeLast(ctx: Ctx, ecpdId: string) {
        // What was deleted since the first part of the import stays deleted.
        const changed = sql`not (${isNew}) and ${changes}`;
        for await (const entries of chunksOf(ctx, name, ecpdId)) await merge(ctx, ecpdId, entries, changed);
      },
    }),
    async findMissing(ctx: Ctx, ecpdIds: readonly string[], needed: readonly string[]): Promise<Found[]> {
      const found: Found[] = [];
      for (const ecpdId of ecpdIds)
        for await (const entries of chunksOf(ctx, name, ecpdId))
          for (const { position, given } of await findNew(ctx, ecpdId, entries, needed))
            for (const member of needed.filter((each) => !given.includes(each)))
              found.push({ position, ...missing(member) });
      return found.slice(0, PROBLEMS_MAX);
    },
  };
}

const EXACT = new Set(['bigint', 'numeric']);

function selectionOf(section: TableSection): Selection {
  const { entry, tenant, table, key } = section;
  const columns = describeColumns(section);
  const byMember = new Map(columns.map((column) => [column.member, column]));
  const selected = Object.keys(entry.properties).map((member) => {
    const { column = columnName(member), type = 'text' } = byMember.get(member) ?? {};
    return `x.${column}${EXACT.has(type) ? '::float8' : ''} as "${member}"`;
  });
  return {
    select: list(selected),
    from: trusted(`${table} x`),
    key: [...(tenant === 'none' ? [] : ['ecpd_id']), ...key.map((member) => byMember.get(member)!.column)],
    ...(tenant === 'profile' && { where: ({ ecpdId }) => sql`x.ecpd_id = ${ecpdId}` }),
    ...section.export,
  };
}

export function tableSection(section: TableSection): FleetSection {
  const { tenant, key, needed = [], verify = [], export: _, ...rest } = section;
  const { findMissing, ...writes } = mergeInto(section);
  const owner = { account: ['accountName'], profile: ['ecpdId'], 'profile or known account': [], none: [] }[
    tenant
  ];
  const named = joinSql(
    [...new Set([...owner, ...key])].map((member) => sql`s.body->>${trusted(`'${member}'`)}`),
    ', ',
  );
  const steps: readonly Step[] = [
    { path: `/${key.at(-1)}`, unique: named },
    ...(needed.length === 0
      ? []
      : [{ find: (ctx: Ctx, ecpdIds: readonly string[]) => findMissing(ctx, ecpdIds, needed) }]),
    ...verify,
  ];
  return { ...rest, ...writes, tenant, verify: steps, export: selectionOf(section) };
}
