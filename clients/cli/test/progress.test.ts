import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lineOf } from '../progress.ts';

describe('a line of progress', () => {
  const parts = ['[####----] 50%', '2026-12-01 10:00', '12 s'];
  it('has as many whole parts as fit on the terminal, the first ones first', () => {
    assert.equal(lineOf(parts, 80), '[####----] 50%  2026-12-01 10:00  12 s');
    assert.equal(lineOf(parts, 37), '[####----] 50%  2026-12-01 10:00');
    assert.equal(lineOf(parts, 20), '[####----] 50%');
    assert.equal(lineOf(parts, 5), '[####');
    assert.equal(lineOf([], 80), '');
  });
});
