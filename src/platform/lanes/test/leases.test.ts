import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { unreportedLoop } from '../../health/health.ts';
import { createRenewals, LEASE_MS, LeaseTime, renewLanes } from '../leases.ts';

interface Lane {
  readonly ecpdId: string;
  readonly name: string;
}
const holder = (ecpdId: string, name: string) => {
  const askedAt: number[] = [];
  return { lane: { ecpdId, name }, askedAt, renewed: (askedAtMs: number) => void askedAt.push(askedAtMs) };
};

describe('the time of a lease', () => {
  it('is safe from when it was asked for until half of it is left, and again when it is renewed', () => {
    const nowMs = performance.now();
    assert.equal(new LeaseTime(nowMs).isSafe, true);
    const lease = new LeaseTime(nowMs - LEASE_MS / 2);
    assert.equal(lease.isSafe, false);
    lease.renewed(performance.now());
    assert.equal(lease.isSafe, true);
  });
});

describe('renewing lanes', () => {
  const [one, two, three] = [holder('p1', 'one'), holder('p1', 'two'), holder('p2', 'three')] as const;

  it('asks once for each profile, and tells each holder whether its lane is still its own', async () => {
    const asked: string[] = [];
    const lost: unknown[] = [];
    const beganAtMs = performance.now();
    await renewLanes({
      held: [one, two, three],
      keyOf: ({ name }: Lane) => name,
      async renew(ecpdId, lanes) {
        asked.push(`${ecpdId}: ${lanes.map(({ name }) => name).join()}`);
        await sleep(5);
        for (const { askedAt } of [one, two, three]) askedAt.push(performance.now());
        return lanes.filter(({ name }) => name !== 'two');
      },
      onLost: (each) => lost.push(each),
      onError: (error) => assert.fail(String(error)),
      loop: unreportedLoop,
    });
    assert.deepEqual(asked, ['p1: one,two', 'p2: three']);
    assert.deepEqual(lost, [two]);
    // What the holder is told is a time before the question left, and so before the one noted with the answer.
    const [answeredAtMs, toldMs] = one.askedAt as [number, number];
    assert.ok(beganAtMs <= toldMs && toldMs < answeredAtMs);
  });
});

describe('renewing lanes where something is in the way', () => {
  const renewed: string[] = [];
  const lost: string[] = [];
  const held = (ecpdId: string) => ({
    lane: { ecpdId, name: ecpdId },
    renewed: () => void renewed.push(ecpdId),
  });

  it('renews the others, and neither renews nor loses what it knows nothing of', async () => {
    const errors: unknown[] = [];
    await renewLanes({
      held: ['fails', 'locked', 'lost', 'kept'].map(held),
      keyOf: ({ name }: Lane) => name,
      async renew(ecpdId, lanes) {
        if (ecpdId === 'fails') throw new Error('no');
        return ecpdId === 'lost' ? [] : lanes.map((lane) => ({ ...lane, renewed: ecpdId !== 'locked' }));
      },
      onLost: ({ lane }) => lost.push(lane.name),
      onError: (error) => errors.push(error),
      loop: unreportedLoop,
    });
    assert.deepEqual([renewed, lost, errors.length], [['kept'], ['lost'], 1]);
  });
});

describe('renewals', () => {
  /** Turns that end only when the test says so. */
  const makeRenewals = () => {
    const turns: PromiseWithResolvers<void>[] = [];
    const errors: unknown[] = [];
    let begun = Promise.withResolvers<void>();
    const state = { isHolding: true };
    const renewals = createRenewals({
      everyMs: 1,
      loop: unreportedLoop,
      isHolding: () => state.isHolding,
      onError: (error) => errors.push(error),
      turn() {
        const turn = Promise.withResolvers<void>();
        turns.push(turn);
        begun.resolve();
        begun = Promise.withResolvers();
        return turn.promise;
      },
    });
    return { ...renewals, state, turns, errors, begins: () => begun.promise };
  };

  it('go on for as long as something is held, one at a time, also after one that failed', async (t) => {
    const { begin, stop, state, turns, errors, begins } = makeRenewals();
    t.after(stop);
    begin();
    await begins();
    begin();
    await sleep(10);
    assert.equal(turns.length, 1);
    turns[0]!.reject(new Error('no database'));
    await begins();
    assert.equal(errors.length, 1);
    state.isHolding = false;
    turns[1]!.resolve();
    await sleep(10);
    assert.equal(turns.length, 2);
    state.isHolding = true;
    begin();
    await begins();
    turns[2]!.resolve();
  });

  it('end with a stop, also with one during a turn', async () => {
    const { begin, stop, turns, begins } = makeRenewals();
    begin();
    await begins();
    stop();
    turns[0]!.resolve();
    await sleep(10);
    begin();
    await sleep(10);
    assert.equal(turns.length, 1);
  });
});
