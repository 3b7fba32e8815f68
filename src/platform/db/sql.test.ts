import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinSql, sql } from './sql.ts';

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
});
