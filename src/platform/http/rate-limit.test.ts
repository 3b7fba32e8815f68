import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rateLimiter } from './rate-limit.ts';

describe('a rate limit', () => {
  it('allows exactly its number in one minute, then one more after each fraction of the minute', () => {
    const limiter = rateLimiter(60);
    const now = 1_000_000;
    const answers = Array.from({ length: 61 }, () => limiter.take('a', now).allowed);
    assert.deepEqual([answers.filter(Boolean).length, answers.at(-1)], [60, false]);
    assert.equal(limiter.take('a', now + 999).allowed, false);
    assert.equal(limiter.take('a', now + 1_000).allowed, true);
    assert.equal(limiter.take('a', now + 1_000).allowed, false);
  });

  it('counts each caller separately', () => {
    const limiter = rateLimiter(1);
    assert.deepEqual(
      [limiter.take('a', 0).allowed, limiter.take('a', 0).allowed, limiter.take('b', 0).allowed],
      [true, false, true],
    );
  });

  it('reports how many are left and when the next one is free', () => {
    const limiter = rateLimiter(2);
    assert.deepEqual(limiter.take('a', 0), { allowed: true, remaining: 1, resetSeconds: 30 });
    assert.deepEqual(limiter.take('a', 0), { allowed: true, remaining: 0, resetSeconds: 60 });
    assert.deepEqual(limiter.take('a', 0), { allowed: false, remaining: 0, resetSeconds: 30 });
  });
});
