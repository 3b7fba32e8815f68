import type { ForeignKey, TableFacts } from './catalogue.ts';

/** Where tables are placed, and what is given up for it. Tables that are not named are distributed by tenant. */
export interface Placement {
  /** The tenant column: first in the primary key of distributed tables. */
  readonly key: string;
  /** Tables on the coordinator only, each with the reason. */
  readonly local: Readonly<Record<string, string>>;
  /** Tables with a copy on every node, each with the reason. */
  readonly reference: Readonly<Record<string, string>>;
  /** Constraints that cannot be kept, by table, with what replaces each of them. */
  readonly dropped: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Triggers that touch rows of their own tenant only. */
  readonly triggers: readonly string[];
}

type Kind = 'distributed' | 'reference' | 'local';

interface ShardPlan {
  readonly statements: readonly string[];
  /** Why tables cannot be placed as planned; if there is any problem, nothing is done. */
  readonly problems: readonly string[];
  readonly kinds: ReadonlyMap<string, Kind>;
}

function kindOf({ name, primaryKey }: TableFacts, { key, local, reference }: Placement): Kind | undefined {
  if (Object.hasOwn(local, name)) return 'local';
  if (Object.hasOwn(reference, name)) return 'reference';
  return primaryKey[0] === key ? 'distributed' : undefined;
}

const SETS_COLUMNS = /[nd]/;

function foreignKeyProblem(
  from: Kind,
  { columns, to, toColumns, onDelete }: ForeignKey,
  toKind: Kind | undefined,
  key: string,
): string | undefined {
  if (toKind === 'reference' || (from === 'local' && toKind === 'local')) return undefined;
  if (from !== 'distributed' || toKind !== 'distributed')
    return `refers to ${to}, which has another placement`;
  if (columns.indexOf(key) < 0 || columns.indexOf(key) !== toColumns.indexOf(key))
    return `refers to ${to} without ${key}`;
  return SETS_COLUMNS.test(onDelete) ? `changes its ${key} when a row of ${to} is deleted` : undefined;
}

function problemsOf(table: TableFacts, kinds: ReadonlyMap<string, Kind>, placement: Placement): string[] {
  const { key, dropped, triggers } = placement;
  const kind = kinds.get(table.name);
  if (kind === undefined)
    return [`${table.name} has no placement: its primary key does not begin with ${key}`];
  const isDropped = (name: string) => Object.hasOwn(dropped[table.name] ?? {}, name);
  const problems = table.foreignKeys
    .filter(({ name }) => !isDropped(name))
    .flatMap((foreignKey) => foreignKeyProblem(kind, foreignKey, kinds.get(foreignKey.to), key) ?? []);
  if (kind === 'distributed') {
    if (table.keyType !== 'text') problems.push(`has a ${key} that is not text`);
    for (const { name, columns } of table.unique)
      if (!columns.includes(key) && !isDropped(name)) problems.push(`has ${name}, unique without ${key}`);
    for (const { column, type } of table.identities)
      if (type !== 'bigint') problems.push(`counts ${column} as ${type}, not as bigint`);
    for (const trigger of table.triggers)
      if (!triggers.includes(trigger)) problems.push(`has the unknown trigger ${trigger}`);
  }
  return problems.map((problem) => `${table.name} ${problem}`);
}

/** Tables that belong on other nodes and are still ordinary: after an interruption, or new after an upgrade. */
export const listUnplaced = (tables: readonly TableFacts[], placement: Placement): string[] =>
  tables
    .filter((table) => table.placed === undefined && kindOf(table, placement) !== 'local')
    .map(({ name }) => name);

/** Referenced tables come before those that refer to them. */
function inOrder(tables: readonly TableFacts[]): TableFacts[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const ordered = new Set<string>();
  const visit = (table: TableFacts, under: readonly string[]) => {
    for (const { to } of table.foreignKeys) {
      const target = byName.get(to);
      if (target !== undefined && !under.includes(to)) visit(target, [...under, to]);
    }
    ordered.add(table.name);
  };
  for (const table of tables) visit(table, [table.name]);
  return [...ordered].map((name) => byName.get(name)!);
}

const create = (table: TableFacts, kind: Kind, { key }: Placement, first: string): string =>
  kind === 'reference'
    ? `select create_reference_table('${table.name}')`
    : `select create_distributed_table('${table.name}', '${key}', colocate_with => '${
        table.name === first ? 'none' : first
      }')`;

/**
 * Statements that run before any table is placed. Otherwise references to a reference table would pull all tables that refer
 * to it, directly or not, into the coordinator's metadata, and tables in there cannot be distributed.
 */
export const SHARDING_SETTINGS = [
  // A filled table with references to a reference table is distributed over one connection to each worker.
  "set citus.multi_shard_modify_mode = 'sequential'",
  'set citus.enable_local_reference_table_foreign_keys = off',
];

/** The statements that are still missing; it is safe to stop after each of them. */
export function planShards(tables: readonly TableFacts[], placement: Placement): ShardPlan {
  const kinds = new Map<string, Kind>(
    tables.flatMap((table) => {
      const kind = kindOf(table, placement);
      return kind === undefined ? [] : [[table.name, kind] as const];
    }),
  );
  const problems = tables.flatMap((table) => problemsOf(table, kinds, placement));
  const ordered = inOrder(tables);
  const ofKind = (kind: Kind) => ordered.filter(({ name }) => kinds.get(name) === kind);
  const distributed = ofKind('distributed');
  const placedAlready = distributed.find(({ placed }) => placed === 'distributed');
  const first = (placedAlready ?? distributed[0])?.name ?? '';
  const toPlace = [...ofKind('reference'), ...distributed];
  const missing = toPlace.filter(({ placed }) => placed === undefined);
  const leftOver = toPlace.filter(({ placed, hasOwnRows }) => placed === undefined || hasOwnRows);
  const drops = ordered.flatMap((table) => {
    const there = [...table.unique, ...table.foreignKeys].map(({ name }) => name);
    return Object.keys(placement.dropped[table.name] ?? {})
      .filter((name) => there.includes(name))
      .map((name) => `alter table ${table.name} drop constraint ${name}`);
  });
  if (drops.length === 0 && leftOver.length === 0) return { statements: [], problems, kinds };
  return {
    problems,
    kinds,
    statements: [
      'create extension if not exists citus',
      ...SHARDING_SETTINGS,
      ...drops,
      ...(missing.some(({ triggers }) => triggers.length > 0)
        ? ['set citus.enable_unsafe_triggers = on']
        : []),
      ...missing.map((table) => create(table, kinds.get(table.name)!, placement, first)),
      // Rows from before the table was placed stay behind, invisible, until they are deleted here.
      ...leftOver
        .toReversed()
        .map(({ name }) => `select truncate_local_data_after_distributing_table('${name}')`),
    ],
  };
}
