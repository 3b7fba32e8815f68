import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findRises } from '../../bench/support/soak-verdict.ts';

/** A value for each minute: one until the last quarter, then another. */
const line = (name: string, before: number, after: number, minutes = 24) => ({
  name,
  values: Array.from({ length: minutes }, (_, n) => (n < minutes - minutes / 4 ? before : after)),
  noise: 5,
});

describe('the verdict of a soak', () => {
  it('names the lines that rose by more than a tenth and more than their noise, and no other', () =>
    assert.deepEqual(
      findRises(
        [
          line('leaks', 200, 230),
          line('nearly flat', 200, 219),
          line('falls', 200, 100),
          line('noise', 10, 14),
          { name: 'only shown', values: line('', 1, 1_000).values },
        ],
        1,
      ),
      [{ name: 'leaks', from: 200, to: 230 }],
    ));

  it('leaves the first ten minutes out, and minutes in which nothing was measured', () => {
    const warming = Array.from({ length: 24 }, (_, n) => (n < 10 ? 1 : n % 2 === 0 ? Number.NaN : 100));
    assert.deepEqual(findRises([{ name: 'warms up', values: warming, noise: 5 }], 1), []);
  });

  it('counts in minutes, however often was measured', () => {
    const twice = line('leaks', 200, 230, 48);
    assert.equal(findRises([twice], 0.5)?.length, 1);
    assert.equal(findRises([twice], 0.25), undefined);
  });

  it('says nothing of a run below twenty minutes', () =>
    assert.equal(findRises([line('leaks', 200, 400, 19)], 1), undefined));
});
