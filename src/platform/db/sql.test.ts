import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinSql, sql, statementFacts } from './sql.ts';

describe('sql', () => {
  it('turns every value into a parameter, never into text', () => {
    const query = sql`select * from account where account_name = ${"'; drop table account; --"}`;
    assert.equal(query.text, 'select * from account where account_name = $1');
    assert.deepEqual(query.values, ["'; drop table account; --"]);
  });

  it('renumbers the parameters of a query inside a query', () => {
    const filter = sql`state = ${'active'} and kind = ${'device'}`;
    const query = sql`select ${1}::int where ${filter} limit ${5}`;
    assert.equal(query.text, 'select $1::int where state = $2 and kind = $3 limit $4');
    assert.deepEqual(query.values, [1, 'active', 'device', 5]);
  });

  it('joins conditions in order', () => {
    const query = joinSql([sql`a = ${1}`, sql`b = ${2}`], ' and ');
    assert.deepEqual([query.text, query.values], ['a = $1 and b = $2', [1, 2]]);
  });

  it('gives the same text the same statement name', () => {
    assert.equal(statementFacts('select 1').name, statementFacts('select 1').name);
    assert.notEqual(statementFacts('select 1').name, statementFacts('select 2').name);
  });

  it('tells statements that never wait for a lock from those that may', () => {
    const reads = ['select 1', '\n  (select a from b)', 'select update_time from x'];
    const others = [
      'insert into a values (1) returning id',
      'select a from b for update',
      'select a from b\n for update skip locked',
      'select pg_advisory_xact_lock(1)',
      'with x as (update a set b = 1 returning b) select * from x',
    ];
    assert.deepEqual(
      [reads, others].map((texts) => texts.map((text) => statementFacts(text).plainRead)),
      [
        [true, true, true],
        [false, false, false, false, false],
      ],
    );
  });
});
