import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findCrossing } from './usage-trigger.ts';

const refsOf = (count: number) => Array.from({ length: count }, (_, n) => `r${n + 1}`);
const change = (before: number, count: number) => ({ before, after: before + count, refs: refsOf(count) });

describe('a percentage of what is subscribed', () => {
  it('is reached only by a whole use', () => {
    assert.equal(findCrossing(change(8, 0), 90, 10), undefined);
    assert.deepEqual(findCrossing(change(7, 3), 90, 10), { before: 8, after: 9, threshold: 9, ref: 'r2' });
    // Three uses do not reach a third of ten.
    assert.equal(findCrossing(change(0, 3), 33, 10), undefined);
    assert.deepEqual(findCrossing(change(0, 4), 33, 10), { before: 3, after: 4, threshold: 3.3, ref: 'r4' });
  });

  it('that was already below the counter is reached by the next use', () => {
    assert.deepEqual(findCrossing(change(95, 2), 90, 100), {
      before: 95,
      after: 96,
      threshold: 90,
      ref: 'r1',
    });
  });

  it('of nothing is never reached', () => {
    assert.equal(findCrossing(change(0, 5), 1, 0), undefined);
  });

  it('is reached by the same use as when counting one by one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3_000 }),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 1, max: 1_500 }),
        (before, count, percent, allowed) => {
          const found = findCrossing(change(before, count), percent, allowed);
          let expected: string | undefined;
          for (let n = 1; n <= count && expected === undefined; n++)
            if (BigInt(before + n) * 100n >= BigInt(percent) * BigInt(allowed)) expected = `r${n}`;
          assert.equal(found?.ref, expected);
          if (found !== undefined) assert.equal(found.after, before + Number(found.ref.slice(1)));
        },
      ),
    );
  });
});
