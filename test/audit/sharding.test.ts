import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { PLACEMENT } from '../../src/app/sharding.ts';
import type { TableFacts } from '../../src/platform/sharding/catalogue.ts';
import { listUnplaced, planShards, readTables } from '../../src/platform/sharding/index.ts';
import { createTestDatabase } from '../support/database.ts';
import { readStatements, type Statement } from '../support/statements.ts';
import { COUNTED_ON_ONE_SERVER, CROSS_PROFILE_WALKS, CROSS_PROFILE_WRITES } from './profile-rules.ts';
import { TEMPORARY } from './rules.ts';

const { url, drop } = await createTestDatabase();
const client = new pg.Client(url);
await client.connect();
after(async () => {
  await client.end();
  await drop();
});
// Rows deleted by an earlier test leave their files behind.
await client.query('truncate device cascade');
const tables = await readTables(client, PLACEMENT.key, false);
const { kinds, problems, statements: planned } = planShards(tables, PLACEMENT);

describe('the schema, distributed by profile', () => {
  it('has a placement for every table, with the keys that a distributed database requires', () => {
    assert.ok(tables.length > 70);
    assert.deepEqual(problems, []);
    assert.equal(kinds.size, tables.length);
  });

  it('has no line for a table or constraint that does not exist', () => {
    const names = new Set(tables.map(({ name }) => name));
    const { local, reference, dropped } = PLACEMENT;
    for (const name of [...Object.keys(local), ...Object.keys(reference), ...Object.keys(dropped)])
      assert.ok(names.has(name), name);
    for (const [table, constraints] of Object.entries(dropped)) {
      const { unique, foreignKeys } = tables.find(({ name }) => name === table)!;
      const there = [...unique, ...foreignKeys].map(({ name }) => name);
      for (const constraint of Object.keys(constraints)) assert.ok(there.includes(constraint), constraint);
    }
    const triggers = tables.flatMap((table) => table.triggers);
    assert.deepEqual([...PLACEMENT.triggers].sort(), triggers.sort());
  });

  it('finds the tables that have rows in files of the queried server', () => {
    const withRows = tables.filter(({ hasOwnRows }) => hasOwnRows).map(({ name }) => name);
    assert.ok(withRows.includes('schema_migration'));
    assert.ok(!withRows.includes('device'));
  });

  it('is created in an order in which referenced tables come first', () => {
    const place = (name: string) => planned.findIndex((text) => text.includes(`_table('${name}'`));
    for (const { name, foreignKeys } of tables.filter((table) => kinds.get(table.name) !== 'local'))
      for (const { to } of foreignKeys.filter((key) => key.to !== name))
        assert.ok(place(to) < place(name), `${to} before ${name}`);
  });
});

const table = (name: string, more: Partial<TableFacts> = {}): TableFacts => ({
  name,
  primaryKey: ['ecpd_id', 'id'],
  unique: [{ name: `${name}_pkey`, columns: ['ecpd_id', 'id'] }],
  foreignKeys: [],
  triggers: [],
  identities: [],
  keyType: 'text',
  placed: undefined,
  hasOwnRows: false,
  ...more,
});
const refersTo = (to: string, columns: string[], onDelete = 'c') => ({
  foreignKeys: [{ name: 'fk', columns, to, toColumns: columns, onDelete }],
});

describe('a plan to distribute tables', () => {
  const wrong: Record<string, [TableFacts[], RegExp]> = {
    'a table that belongs to no tenant and has no line': [
      [table('a', { primaryKey: ['id'] })],
      /a has no placement/,
    ],
    'a key that is unique over all tenants': [
      [table('a', { unique: [{ name: 'a_name', columns: ['name'] }] })],
      /a has a_name, unique without ecpd_id/,
    ],
    'a reference that leaves the tenant out': [
      [table('b'), table('a', refersTo('b', ['id']))],
      /a refers to b without ecpd_id/,
    ],
    'a reference to a table of the coordinator': [
      [table('session'), table('a', refersTo('session', ['ecpd_id', 'id']))],
      /a refers to session, which has another placement/,
    ],
    'a reference that sets columns to null': [
      [table('b'), table('a', refersTo('b', ['ecpd_id', 'id'], 'n'))],
      /a changes its ecpd_id/,
    ],
    'a counter that is too small': [
      [table('a', { identities: [{ column: 'n', type: 'integer' }] })],
      /a counts n as integer/,
    ],
    'a trigger that was not checked': [[table('a', { triggers: ['t'] })], /a has the unknown trigger t/],
  };
  for (const [name, [given, problem]] of Object.entries(wrong))
    it(`is refused for ${name}`, () => {
      const found = planShards(given, PLACEMENT).problems;
      assert.equal(found.length, 1);
      assert.match(found[0]!, problem);
    });

  it('skips tables that are placed, and is empty if all are', () => {
    const [a, b] = [table('a', { placed: 'distributed' }), table('b', refersTo('a', ['ecpd_id', 'id']))];
    const creates = planShards([a, b], PLACEMENT).statements.filter((text) => text.includes('create_dist'));
    assert.deepEqual(creates, ["select create_distributed_table('b', 'ecpd_id', colocate_with => 'a')"]);
    assert.deepEqual(planShards([a, { ...b, placed: 'distributed' }], PLACEMENT).statements, []);
  });

  const calls = (tables: TableFacts[]) =>
    planShards(tables, PLACEMENT).statements.filter((text) => text.startsWith('select '));

  it('removes what an interrupted plan left on the coordinator, referencing tables first', () => {
    const placed = { placed: 'distributed', hasOwnRows: true } as const;
    assert.deepEqual(
      calls([
        table('a', placed),
        table('b', { ...refersTo('a', ['ecpd_id', 'id']), ...placed }),
        table('c', { placed: 'distributed' }),
      ]),
      [
        "select truncate_local_data_after_distributing_table('b')",
        "select truncate_local_data_after_distributing_table('a')",
      ],
    );
    assert.deepEqual(calls([table('session', { hasOwnRows: true })]), []);
  });

  it('finds the tables that an upgrade has not placed yet', () => {
    const given = [
      table('a', { placed: 'distributed' }),
      table('b'),
      table('plan', { primaryKey: ['code'] }),
      table('session'),
    ];
    assert.deepEqual(listUnplaced(given, PLACEMENT), ['b', 'plan']);
  });

  it('colocates new tables with placed ones, whichever comes first by name', () => {
    assert.deepEqual(
      calls([table('a'), table('b', { placed: 'distributed' })])[0],
      "select create_distributed_table('a', 'ecpd_id', colocate_with => 'b')",
    );
  });

  it('keeps references to a copied table from adding others to the metadata of the coordinator', () => {
    const { statements } = planShards([table('plan', { primaryKey: ['code'] })], PLACEMENT);
    const off = statements.indexOf('set citus.enable_local_reference_table_foreign_keys = off');
    assert.ok(off > 0 && off < statements.indexOf("select create_reference_table('plan')"));
  });
});

const CHANGE =
  /\b(?:insert into|(?<!do |for |key )update|delete from|merge into) (\w+)|\bfor (?:no key )?update|\bfor (?:key )?share/g;
const NAMES_PROFILE = /\becpd_id = \$/;
const INSERTS_INTO_PROFILE =
  /^insert into \w+(?: as \w+)? \(ecpd_id[^)]*\) (?:select (?:distinct (?:on \([^)]*\) )?)?|values \(?)\$/;

/** The select, or the part of a `with`, around a position. */
function partAround(text: string, at: number): string {
  let [from, to] = [at, at];
  for (let depth = 0; from > 0; from--) {
    if (text[from - 1] === ')') depth++;
    else if (text[from - 1] === '(' && depth-- === 0) break;
  }
  for (let depth = 0; to < text.length; to++) {
    if (text[to] === '(') depth++;
    else if (text[to] === ')' && depth-- === 0) break;
  }
  return text.slice(from, to);
}
/** Without parts in parentheses: a condition of a subquery binds nothing outside it. */
function ownLevel(part: string): string {
  const less = part.replaceAll(/\([^()]*\)/g, ' ');
  return less === part ? part : ownLevel(less);
}
const isDistributed = (name: string) => kinds.get(name) === 'distributed' && !TEMPORARY.test(name);

/** Changes and locks of tenants' rows that no parameter ties to one profile. */
function looseChanges(text: string): string[] {
  return [...text.matchAll(CHANGE)].flatMap(({ 0: change, 1: target, index }) => {
    const part = partAround(text, index);
    const own = ownLevel(part);
    const changed =
      target === undefined ? [...own.matchAll(/\b(?:from|join) (\w+)/g)].map(([, name]) => name!) : [target];
    if (!changed.some(isDistributed) || NAMES_PROFILE.test(own)) return [];
    const inserted = change.startsWith('insert') && part.slice(part.indexOf(change));
    return inserted && INSERTS_INTO_PROFILE.test(inserted) ? [] : [change];
  });
}

const counted = new Map(
  tables
    .filter(({ name, identities }) => isDistributed(name) && identities.length > 0)
    .map(({ name, identities }) => [name, identities.map(({ column }) => column)]),
);
const readBy = (part: string) => [...part.matchAll(/\b(?:from|join|using) (\w+)/g)].map(([, name]) => name!);

/**
 * Where a server of a cluster would count on its own: a part that leaves the number to the database selects from tables of
 * that server, or `nextval` occurs in a query that can be sent there as a whole.
 */
function countedElsewhere(text: string): string[] {
  const drawn = [...text.matchAll(/\bnextval\(/g)].filter(({ index }) =>
    readBy(partAround(text, index)).some(
      (name) => isDistributed(name) || new RegExp(`\\b${name} as \\((?:select|with)\\b`).test(text),
    ),
  );
  const inserted = [...text.matchAll(/\binsert into (\w+)(?: as \w+)? \(([^)]*)\)/g)].filter(
    ({ 1: table, 2: columns, index }) => {
      const numbers = counted.get(table!);
      if (numbers === undefined) return false;
      const part = partAround(text, index);
      if (numbers.every((number) => columns!.split(', ').includes(number)))
        return text.includes('nextval(') && part === text;
      return readBy(part.slice(part.indexOf('insert into'))).some(isDistributed);
    },
  );
  return [...drawn, ...inserted].map(([found]) => found);
}

const where = ({ file, name }: Statement) => `${file.replace(/^src\//, '')} ${name}`;
const statements = readStatements();
const unique = (found: readonly Statement[]) => [...new Set(found.map(where))].sort();

describe('statements on a schema that is distributed by profile', () => {
  it('are found, and classified by what they change', () => {
    assert.ok(statements.length > 400);
    const check = (text: string) => looseChanges(text).length;
    assert.equal(check('update job set state = $ where ecpd_id = $ and job_id = $'), 0);
    assert.equal(check('update job set state = $ where job_id = $'), 1);
    assert.equal(check('delete from job where job_id in (select job_id from job where ecpd_id = $)'), 1);
    assert.equal(check('select from job where state = $ for update skip locked'), 1);
    assert.equal(check('insert into job (ecpd_id, job_id) select $, id from unnest($) as t (id)'), 0);
    assert.equal(check('insert into job (ecpd_id, job_id) select ecpd_id, $ from profile'), 1);
    assert.equal(check('delete from session where username = $'), 0);
  });

  it('change and lock rows of one profile, which is a parameter, except listed ones', () => {
    const loose = statements.filter(({ text }) => looseChanges(text).length > 0);
    assert.deepEqual(unique(loose), Object.keys(CROSS_PROFILE_WRITES).sort());
  });

  it('walk from profile to profile only if they have another form for a distributed database', () => {
    const walks = statements.filter(({ own }) => /\bwith recursive\b/i.test(own) && !NAMES_PROFILE.test(own));
    assert.deepEqual(unique(walks), CROSS_PROFILE_WALKS);
  });

  it('number rows in one place, except those with another form for a distributed database', () => {
    const check = (text: string) => countedElsewhere(text).length;
    const insert = 'insert into rule_change (ecpd_id, rule_id) select';
    assert.equal(check(`${insert} $, id from unnest($) as t (id)`), 0);
    assert.equal(
      check(`with written as (update rule set x = $ returning *) ${insert} $, id from written`),
      0,
    );
    assert.equal(check(`${insert} p.ecpd_id, id from profile p cross join unnest($) as t (id)`), 1);
    assert.equal(check(`${insert} $, (select max(rule_id) from rule where ecpd_id = $)`), 1);
    const numbered =
      'insert into rule_change (ecpd_id, change_id) select p.ecpd_id, n from a join profile p on true';
    const drawn = (from: string) => `a as materialized (select nextval($) as n from ${from})`;
    assert.equal(check(`with ${drawn('unnest($)')}, b as (${numbered}) select 1`), 0);
    assert.equal(check(`with ${drawn('unnest($)')} ${numbered}`), 1);
    assert.equal(check(`with ${drawn('rule')}, b as (${numbered}) select 1`), 1);
    assert.equal(check(`with c as (select 1 from rule), ${drawn('c')}, b as (${numbered}) select 1`), 1);
    assert.deepEqual(
      unique(statements.filter(({ text }) => check(text) > 0)),
      Object.keys(COUNTED_ON_ONE_SERVER),
    );
  });

  it('set no column by a volatile function', () => {
    const volatile = statements.filter(({ text }) =>
      [...text.matchAll(/\bupdate (\w+)\b.*? set (.*?)(?: from | where |$)/g)].some(
        ([, name, set]) =>
          isDistributed(name!) && /\b(clock_timestamp|gen_random_uuid|random|nextval)\(/.test(set!),
      ),
    );
    assert.deepEqual(unique(volatile), []);
  });
});
