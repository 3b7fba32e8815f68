import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareWith, comparisonsOf } from './comparisons.ts';

const warm = { field: 'temperature', operator: 'GT', value: 30 };

describe('the comparisons of a condition', () => {
  it('contain every condition on a field, however deep, in order and each once', () => {
    const chain = { all: [warm, { any: [{ not: { field: 'door', operator: 'exists' } }, warm] }] };
    assert.deepEqual(comparisonsOf(chain), [
      { field: 'temperature', operator: 'gt', limit: 30 },
      { field: 'door', operator: 'exists' },
    ]);
  });

  it('are the fields named in JsonLogic', () => {
    const logic = { and: [{ '>': [{ var: 'a.b' }, 30] }, { '==': [{ var: ['c', 0] }, { var: 'a.b' }] }] };
    assert.deepEqual(comparisonsOf(logic), [{ field: 'a.b' }, { field: 'c' }]);
  });

  it('are empty for a rule without a condition', () => assert.deepEqual(comparisonsOf(undefined), []));

  it('are sixteen at most', () => {
    const any = Array.from({ length: 40 }, (_, n) => ({ field: `f${n}`, operator: 'eq', value: n }));
    assert.equal(comparisonsOf({ any }).length, 16);
  });

  it('contain the value of each known field', () =>
    assert.deepEqual(
      compareWith([{ field: 'a.b', operator: 'gt', limit: 30 }, { field: 'c' }], { a: { b: 34 } }),
      [{ field: 'a.b', operator: 'gt', limit: 30, value: 34 }, { field: 'c' }],
    ));
});
