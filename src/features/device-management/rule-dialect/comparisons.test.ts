import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareWith, comparisonsOf } from './comparisons.ts';

const warm = { field: 'temperature', operator: 'GT', value: 30 };

describe('what a condition compares', () => {
  it('is every condition of a field in it, however deep, in its order and each once', () => {
    const chain = { all: [warm, { any: [{ not: { field: 'door', operator: 'exists' } }, warm] }] };
    assert.deepEqual(comparisonsOf(chain), [
      { field: 'temperature', operator: 'gt', limit: 30 },
      { field: 'door', operator: 'exists' },
    ]);
  });

  it('is the fields that JsonLogic names', () => {
    const logic = { and: [{ '>': [{ var: 'a.b' }, 30] }, { '==': [{ var: ['c', 0] }, { var: 'a.b' }] }] };
    assert.deepEqual(comparisonsOf(logic), [{ field: 'a.b' }, { field: 'c' }]);
  });

  it('is nothing where a rule has no condition', () => assert.deepEqual(comparisonsOf(undefined), []));

  it('is sixteen of them at most', () => {
    const any = Array.from({ length: 40 }, (_, n) => ({ field: `f${n}`, operator: 'eq', value: n }));
    assert.equal(comparisonsOf({ any }).length, 16);
  });

  it('has the value of each field that is known', () =>
    assert.deepEqual(
      compareWith([{ field: 'a.b', operator: 'gt', limit: 30 }, { field: 'c' }], { a: { b: 34 } }),
      [{ field: 'a.b', operator: 'gt', limit: 30, value: 34 }, { field: 'c' }],
    ));
});
