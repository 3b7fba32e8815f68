import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { statementFacts } from './statement-facts.ts';

const PLAIN = [
  'select 1',
  '\n  (select a from b) union all (select c from d)',
  'SELECT a FROM b',
  'select update_time, deleted_at, share from x',
  "select a from b where kind = 'for update' and c like '%pg_notify(%' and d = 'it''s an insert into'",
  "select e'it\\'s for update' from b",
  'select $$for update$$, $tag$ nextval(1) $tag$ from b where c = $1',
  '-- for update\nselect a from b',
  'select a /* insert into c; for key share */ from b',
  `select a as "--", 'x' from b`,
];
const GATHERING = [
  'with x as (select a from b) select a from x',
  "with x as (select a from b where c = 'update') select a from x",
];
const OTHERS = [
  'insert into a values (1) returning id',
  'update a set b = 1',
  'delete from a',
  'merge into a using b on true when matched then do nothing',
  'truncate a',
  'listen a',
  'select a into c from b',
  'with x as (update a set b = 1 returning b) select * from x',
  'with x as (delete from a returning b) select * from x',
  'with x as (insert into a values (1) returning b) select * from x',
  'with x as (select a from b for update) select a from x',
  'select a from b for update',
  'select a from b\n for update skip locked',
  'select a from b for no key update',
  'select a from b for share',
  'select a from b FOR\n  KEY  SHARE of b nowait',
  'select a from b for /* no key */ update',
  'select a from b for key -- which?\n share',
  `select a as "--" from b for update`,
  `select a as "it's" from b where c = 'd' for key share`,
  "select 'a\\' from b for key share -- '",
  "select e'\\\\' from b for key share -- '",
  'select pg_advisory_lock(1)',
  'select pg_advisory_xact_lock_shared(1)',
  'select pg_try_advisory_xact_lock(1)',
  'select pg_advisory_unlock_all()',
  "select pg_notify('a', 'b')",
  "select nextval('a_seq')",
  "select setval('a_seq', 1)",
  "select set_config('statement_timeout', '1', false)",
  `select "nextval"('a_seq')`,
];

const textsWith = (texts: readonly string[], fact: 'onlyReads' | 'plainRead') =>
  texts.filter((text) => statementFacts({ text })[fact]);

describe('the facts derived from the text of a statement', () => {
  it('include that it only reads, whatever its comments and strings say', () =>
    assert.deepEqual(textsWith([...PLAIN, ...GATHERING], 'onlyReads'), [...PLAIN, ...GATHERING]));

  it('include that it writes, locks or changes its connection', () =>
    assert.deepEqual(textsWith(OTHERS, 'onlyReads'), []));

  it('include that it may share a connection, because it returns rows as it reads them', () =>
    assert.deepEqual(textsWith(PLAIN, 'plainRead'), PLAIN));

  it('include that it needs a connection of its own', () =>
    assert.deepEqual(textsWith([...GATHERING, ...OTHERS], 'plainRead'), []));

  it('include a name that is always the same for a text, and unique to it', () => {
    const [one, again, other] = ['select 1', 'select 1', 'select 2'].map(
      (text) => statementFacts({ text }).name,
    );
    assert.equal(one, again);
    assert.notEqual(one, other);
  });

  it('include no name if it is planned each time', () =>
    assert.equal(statementFacts({ text: 'select 1', unprepared: true }).name, undefined));
});

describe('the profile of a statement', () => {
  for (const [text, tenantAt] of [
    ['select a from b where ecpd_id = $2 and c = $1', 1],
    ['update a set b = $1 where a.ecpd_id = any($3::text[])', 2],
    ['insert into a as k (ecpd_id, b) values ($1, $2) on conflict do nothing', 0],
    ['select a from b join c on c.ecpd_id = b.ecpd_id', undefined],
    ["select a from b where c = 'ecpd_id = $1'", undefined],
  ] as const)
    it(`is ${tenantAt === undefined ? 'none' : `value ${tenantAt + 1}`} of: ${text}`, () => {
      assert.equal(statementFacts({ text }).tenantAt, tenantAt);
    });
});

describe('the tables of a statement', () => {
  for (const [text, tables] of [
    ['select extract(epoch from d.since) from d join unnest($1) on true', ['d']],
    ['insert into a (b) select c from e', ['a', 'e']],
    ['insert into a (b) values (1) on conflict (b) do update set b = 2', ['a']],
    ['select a from b for update skip locked', ['b']],
    ['select now()', []],
  ] as const)
    it(`are ${tables.join(', ') || 'none'} of: ${text}`, () => {
      assert.deepEqual(statementFacts({ text }).tables, tables);
    });
});
