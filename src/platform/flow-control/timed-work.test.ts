import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPatience } from './timed-work.ts';

const LONG_MS = 150_000;
const SHORT_MS = 1_000;

function open() {
  let nowMs = 0;
  return {
    patience: createPatience(() => nowMs),
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

describe('the patience of a move', () => {
  it('lasts while work makes progress, and long after that', () => {
    const { patience, pass } = open();
    const isStalled = patience({ nr: 1 });
    for (const done of [1, 2, 3]) {
      pass(LONG_MS - 1);
      assert.equal(isStalled(done), false);
    }
    pass(LONG_MS);
    assert.equal(isStalled(3), false);
    pass(1);
    assert.equal(isStalled(3), true);
  });

  it('is used up once in a move, however many stops it has, and starts again with the next move', () => {
    const { patience, pass } = open();
    const first = patience({ nr: 1 });
    pass(LONG_MS + 1);
    assert.equal(first(0), true);
    for (let stop = 0; stop < 3; stop++) {
      const later = patience({ nr: 1 });
      pass(SHORT_MS);
      assert.equal(later(0), false);
      pass(1);
      assert.equal(later(1), false, 'waits for work that makes progress');
      pass(SHORT_MS + 1);
      assert.equal(later(1), true);
    }
    const next = patience({ nr: 2 });
    pass(LONG_MS);
    assert.equal(next(0), false);
  });
});
