import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Callback, postCallbacks } from '../../src/features/callbacks/index.ts';
import { inTx } from '../../src/platform/context/context.ts';
import { ECPD } from '../support/callback-scene.ts';
import { ACCOUNT } from '../support/fleet.ts';
import {
  attemptsOf,
  beginMove,
  clockOf,
  makeRunning,
  move,
  post,
  SLACK_MS,
} from '../support/moving-clock.ts';

/** The time limit of an attempt is longer than these tests. */
const patient = await makeRunning(200, 60_000);

describe('a move of the clock that sets a time', () => {
  it('ends there', async () => {
    const startedAt = Date.now();
    const to = startedAt + 3_600_000;
    await move(patient, { set: new Date(to).toISOString() });
    const arrived = Date.parse((await clockOf(patient)).now);
    // The clock has run on since then.
    const tookMs = Date.now() - startedAt;
    assert.ok(arrived >= to && arrived <= to + tookMs + SLACK_MS, new Date(arrived).toISOString());
  });

  it('ends at real time plus the offset it had, where a listener takes longer than that', async () => {
    patient.listener.answer = 'never';
    const { offsetMs } = await clockOf(patient);
    await post(patient);
    await patient.listener.next();
    const to = Date.now() + offsetMs + 2_500;
    const follow = await beginMove(patient, { set: new Date(to).toISOString() });
    while (Date.now() + offsetMs <= to) await sleep(50);
    patient.listener.release(200);
    await follow();
    assert.equal((await clockOf(patient)).offsetMs, offsetMs);
  });
});

describe('a move of the clock', () => {
  it('does not wait behind what calls bring meanwhile to a listener that never answers', async () => {
    const world = await makeRunning('never');
    await post(world);
    const { offsetMs } = await clockOf(world);
    const follow = await beginMove(world, { advance: 'PT11M' });
    // More than a lane fetches ahead, all due before the next attempt of the callback for which the move waits.
    const MANY = 250;
    const many = Array.from(
      { length: MANY },
      (_, n): Callback => ({
        ...{ accountName: ACCOUNT, serviceName: 'AlertService', requestId: `r-${n}` },
        payload: { n },
      }),
    );
    await inTx(world.ctx, (tx) => postCallbacks(tx, ECPD, many));
    await follow();
    assert.equal((await clockOf(world)).offsetMs, offsetMs + 660_000);
    const attempts = await attemptsOf(world);
    assert.ok(
      attempts.some((of) => of.length === 3),
      'the one that was there has had its attempts',
    );
    const tried = attempts.filter((of) => of.length > 0).length;
    assert.ok(tried < MANY / 2, `${tried} were tried before the move had ended`);
  });
});
