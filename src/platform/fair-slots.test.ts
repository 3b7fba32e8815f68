import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FairSlots } from './fair-slots.ts';

describe('fair slots', () => {
  it('never have more at work than there are places', async () => {
    const slots = new FairSlots(3);
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

  it('serve a lane that has just come before all the rest of one that came earlier', async () => {
    const slots = new FairSlots(1);
    const served: string[] = [];
    const ask = (lane: string) => slots.run(lane, async () => void served.push(lane));
    await Promise.all([...Array.from({ length: 10 }, () => ask('much')), ask('little')]);
    assert.ok(served.indexOf('little') <= 2, served.join(' '));
    assert.equal(served.length, 11);
  });

  it('give the place back when the work fails', async () => {
    const slots = new FairSlots(1);
    await assert.rejects(
      slots.run('a', () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await slots.run('a', async () => 'yes'), 'yes');
  });
});
