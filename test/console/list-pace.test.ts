import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createListPace } from '../../clients/console/src/app/list-pace.ts';

/** The seconds between successive reads of a list that constantly has news. */
function pausesOf(pace: ReturnType<typeof createListPace>, clock: { ms: number }, reads: number): number[] {
  return Array.from({ length: reads }, () => {
    const pauseMs = Math.max(0, pace.waitMs('callbacks'));
    clock.ms += pauseMs;
    pace.noteRead('callbacks');
    return pauseMs / 1_000;
  });
}

describe('lists of the console', () => {
  it('are read again soon, and every ten seconds at most while news keeps coming', () => {
    const clock = { ms: 0 };
    const pace = createListPace(() => clock.ms);
    assert.deepEqual(pausesOf(pace, clock, 7), [0, 1, 2, 4, 8, 10, 10]);
  });

  it('are read again soon after a quiet time, and each topic by itself', () => {
    const clock = { ms: 0 };
    const pace = createListPace(() => clock.ms);
    pausesOf(pace, clock, 6);
    assert.ok(pace.waitMs('devices') <= 0);
    clock.ms += 10_000 + 10_001;
    assert.deepEqual(pausesOf(pace, clock, 3), [0, 1, 2]);
  });
});
