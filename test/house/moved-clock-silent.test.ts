import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attemptsOf, clockOf, makeRunning, move, post, SLACK_MS } from '../support/moving-clock.ts';

describe('a move of the clock', () => {
  // proves clock/silent-listeners
  it('waits once for a listener that never answers, and records the rest of its step as not sent', async () => {
    const world = await makeRunning('never');
    for (let n = 0; n < 12; n++) await post(world, n);
    const before = (await clockOf(world)).offsetMs;
    const { behindMs } = await move(world, { advance: 'PT10S' });
    assert.equal((await clockOf(world)).offsetMs, before + 10_000);
    assert.ok(behindMs < SLACK_MS, `the clock was ${behindMs} ms behind`);
    const attempts = (await attemptsOf(world)).flat();
    const silent = attempts.filter(({ error }) => error === 'listener silent').length;
    assert.ok(silent >= 8, `${silent} of ${attempts.length} were not sent`);
    assert.equal(world.listener.heard.length + silent, attempts.length);
  });

  // proves clock/silent-listeners
  it('halves its patience at each stop at which a listener is silent, until it answers', async () => {
    const world = await makeRunning('never');
    await post(world);
    await move(world, { advance: 'PT11M' });
    const errors = (await attemptsOf(world)).flat().map(({ error }) => error);
    assert.deepEqual(errors, ['no answer in 1.6 s', 'no answer in 0.8 s', 'no answer in 0.4 s']);
    world.listener.release(200);
    await move(world, { advance: 'PT5M' });
    assert.deepEqual((await attemptsOf(world)).flat().at(-1)?.error, null);
  });
});
