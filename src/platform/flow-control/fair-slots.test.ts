import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Crowded, FairSlots } from './fair-slots.ts';

describe('fair slots', () => {
  it('run at most as much work as there are places', async () => {
    const slots = new FairSlots(3, 100);
    let atWork = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        slots.run(`lane ${n % 4}`, async () => {
          most = Math.max(most, ++atWork);
          await new Promise(setImmediate);
          atWork--;
        }),
      ),
    );
    assert.equal(most, 3);
    assert.equal(slots.waiting, 0);
  });

  it('serve a new lane before the remaining work of an earlier lane', async () => {
    const slots = new FairSlots(1, 100);
    const served: string[] = [];
    const ask = (lane: string) => slots.run(lane, async () => void served.push(lane));
    await Promise.all([...Array.from({ length: 10 }, () => ask('much')), ask('little')]);
    assert.ok(served.indexOf('little') <= 2, served.join(' '));
    assert.equal(served.length, 11);
  });

  it('let the inner lanes of a lane take turns, as lanes do', async () => {
    const slots = new FairSlots(1, 100);
    const served: string[] = [];
    const ask = (within: string) => slots.run(['one', within], async () => void served.push(within));
    await Promise.all([...Array.from({ length: 10 }, () => ask('much')), ask('little')]);
    assert.ok(served.indexOf('little') <= 2, served.join(' '));
    assert.equal(served.length, 11);
  });

  it('reject the last caller of the longest lane when the queue is full', async () => {
    const slots = new FairSlots(1, 4);
    const served: string[] = [];
    const ask = (lane: string) => slots.run(lane, async () => void served.push(lane));
    const many = Array.from({ length: 10 }, () => ask('many'));
    const outcomes = await Promise.allSettled([...many, ask('one')]);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.deepEqual([refused.length, served.toSorted()], [6, ['many', 'many', 'many', 'many', 'one']]);
    assert.ok(refused.every(({ reason }) => reason instanceof Crowded));
    assert.equal(slots.waiting, 0);
  });

  it('reject a caller after the time limit for waiting', async () => {
    const slots = new FairSlots(1, 100, 50);
    const held = Promise.withResolvers<void>();
    const first = slots.run('a', () => held.promise);
    await assert.rejects(
      slots.run('b', async () => 'never'),
      Crowded,
    );
    assert.equal(slots.waiting, 0);
    held.resolve();
    await first;
    assert.equal(await slots.run('b', async () => 'free again'), 'free again');
  });

  it('free the place when the work fails', async () => {
    const slots = new FairSlots(1, 100);
    await assert.rejects(
      slots.run('a', () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await slots.run('a', async () => 'yes'), 'yes');
  });

  it('refuse a caller when too many are waiting', async () => {
    const slots = new FairSlots(1, 1);
    const held = Promise.withResolvers<void>();
    const first = slots.run('a', () => held.promise);
    const second = slots.run('a', async () => 'second');
    await assert.rejects(
      slots.run('a', async () => 'third'),
      Crowded,
    );
    held.resolve();
    await first;
    assert.equal(await second, 'second');
  });

  it('give the place of a caller that gave up to the next one', async () => {
    const slots = new FairSlots(1, 10);
    const held = Promise.withResolvers<void>();
    const gaveUp = new AbortController();
    const first = slots.run('a', () => held.promise);
    const second = slots.run('a', async () => 'second', gaveUp.signal);
    const third = slots.run('b', async () => 'third');
    gaveUp.abort(new Error('gone'));
    await assert.rejects(second, /gone/);
    held.resolve();
    await first;
    assert.equal(await third, 'third');
    assert.equal(await slots.run('c', async () => 'free again'), 'free again');
  });
});
