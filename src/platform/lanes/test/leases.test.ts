import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { unreportedLoop } from '../../health/health.ts';
import { LEASE_MS, LeaseTime, renewLanes } from '../leases.ts';

interface Lane {
  readonly ecpdId: string;
  readonly name: string;
}
const holder = (ecpdId: string, name: string) => {
  const askedAt: number[] = [];
  return { lane: { ecpdId, name }, askedAt, renewed: (askedAtMs: number) => void askedAt.push(askedAtMs) };
};

describe('the time of a lease', () => {
  it('is safe from when it was asked for until half of it is left, and again after a renewal', () => {
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

  it('asks once for each profile, and reports to each holder whether it still holds its lane', async () => {
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
    // The holder gets the time before the request, and so before the time noted with the answer.
    const [answeredAtMs, renewedAtMs] = one.askedAt as [number, number];
    assert.ok(beganAtMs <= renewedAtMs && renewedAtMs < answeredAtMs);
  });
});

describe('renewing lanes when some cannot be renewed', () => {
  const renewed: string[] = [];
  const lost: string[] = [];
  const held = (ecpdId: string) => ({
    lane: { ecpdId, name: ecpdId },
    renewed: () => void renewed.push(ecpdId),
  });

  it('renews the others, and neither renews nor loses a lane whose state is unknown', async () => {
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
