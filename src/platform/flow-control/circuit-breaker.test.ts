import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CircuitBreaker, CircuitOpen, type Verdict } from './circuit-breaker.ts';

const fail = () => Promise.reject(new Error('down'));
const succeed = async () => 'up';

describe('a circuit breaker', () => {
  it('stops asking after a number of failures in a row, and forgets them at the first success', async () => {
    const breaker = new CircuitBreaker({ failuresMax: 3, openMs: 60_000 });
    for (const work of [fail, fail]) await assert.rejects(breaker.run(work), /down/);
    assert.equal(await breaker.run(succeed), 'up');
    for (const work of [fail, fail, fail]) await assert.rejects(breaker.run(work), /down/);
    await assert.rejects(breaker.run(succeed), CircuitOpen);
  });

  it('lets one trial decide after the open time', async () => {
    const breaker = new CircuitBreaker({ failuresMax: 1, openMs: 20 });
    await assert.rejects(breaker.run(fail), /down/);
    await sleep(30);
    const slow = Promise.withResolvers<string>();
    const trial = breaker.run(() => slow.promise);
    await assert.rejects(breaker.run(succeed), CircuitOpen);
    slow.resolve('up');
    assert.equal(await trial, 'up');
    assert.equal(await breaker.run(succeed), 'up');
  });

  it('counts a refusal as an answer, and ignores a caller that gave up', async () => {
    const breaker = new CircuitBreaker({ failuresMax: 2, openMs: 60_000 });
    const failAs = (verdict: Verdict) =>
      assert.rejects(
        breaker.run(fail, () => verdict),
        /down/,
      );
    await failAs('failure');
    await failAs('answer');
    await failAs('failure');
    assert.equal(breaker.isOpen, false);
    await failAs('unknown');
    await failAs('failure');
    assert.equal(breaker.isOpen, true);
  });
});
