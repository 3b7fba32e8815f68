import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ECPD, makeScene } from '../../../../test/support/callback-scene.ts';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import { unreportedLoop } from '../../../platform/health/health.ts';
import { LeaseTime } from '../../../platform/lanes/leases.ts';
import { noTracing } from '../../../platform/telemetry/tracing/tracing.ts';
import type { LeasedLane } from '../delivery/lane.ts';
import { createLaneReads } from '../delivery/lane-reads.ts';
import { CallbackWorker, type WorkerDeps } from '../delivery/lane-worker.ts';
import { createRecorder } from '../delivery/recorder.ts';
import { SendBudget } from '../delivery/send-budget.ts';
import { SendPace } from '../delivery/send-pace.ts';
import { SilentListeners } from '../delivery/silence.ts';
import { claimLanes } from '../delivery/sql-lane.ts';
import { postCallbacks } from '../messages/post-callback.ts';

const LANE = { ecpdId: ECPD, accountName: ACCOUNT, serviceName: 'AlertService' };

const makeWorker = (ctx: Ctx, lane: LeasedLane, deps: Partial<WorkerDeps>) =>
  new CallbackWorker(lane, new LeaseTime(performance.now()), {
    ctx,
    send: () => assert.fail('nothing is to be sent'),
    userAgent: 'test',
    laneReads: createLaneReads(ctx),
    recorder: createRecorder(ctx, { loop: unreportedLoop, isHeld: () => true, onSettled: () => {} }),
    budget: new SendBudget(),
    pace: new SendPace(),
    withhold: async () => new Map(),
    silence: new SilentListeners(ctx.clock),
    reads: unreportedLoop,
    consents: unreportedLoop,
    tracing: noTracing,
    onOutcome: () => {},
    isCrowded: () => false,
    ...deps,
  });

/** The worker of a lane without messages, after its first read, and whether it has given up its place. */
async function workQuietLane(isCrowded: boolean) {
  const { ctx } = await makeScene();
  const asked = Promise.withResolvers<void>();
  let hasEnded = false;
  const worker = makeWorker(ctx, { ...LANE, leaseToken: ctx.newId() } as LeasedLane, {
    isCrowded() {
      asked.resolve();
      return isCrowded;
    },
  });
  void worker.run().then(() => {
    hasEnded = true;
  });
  await asked.promise;
  await nextTurn();
  return { worker, hasEnded: () => hasEnded };
}

describe('a lane with nothing left to send', () => {
  it('gives its place up at once while others wait for one', async () => {
    const { hasEnded } = await workQuietLane(true);
    assert.equal(hasEnded(), true);
  });

  it('keeps its place for the next message while other places are free, until a lane needs it', async () => {
    const { worker, hasEnded } = await workQuietLane(false);
    assert.equal(hasEnded(), false);
    worker.giveWay();
    await nextTurn();
    assert.equal(hasEnded(), true);
  });
});

describe('a lane whose listener is paused during a read of its messages', () => {
  it('sends nothing, even if a query from before the pause is answered after it', async () => {
    const { ctx } = await makeScene();
    await postCallbacks(ctx, ECPD, [
      { accountName: ACCOUNT, serviceName: 'AlertService', requestId: 'r-1', payload: {} },
    ]);
    const [lane] = await claimLanes(ctx.db, ECPD, [LANE as LeasedLane], ctx.newId());
    const reads = createLaneReads(ctx);
    const [open, late] = [await reads.findListener(lane!), Promise.withResolvers<void>()];
    assert.notEqual(open, undefined);
    let [asks, sent] = [0, 0];
    const worker = makeWorker(ctx, lane!, {
      async send() {
        sent++;
        return { status: 200, error: null, latencyMs: 1, answer: '' };
      },
      laneReads: {
        ...reads,
        findListener: async () => (asks++ === 0 ? late.promise.then(() => open) : undefined),
      },
    });
    void worker.run();
    await worker.listenerChanged();
    late.resolve();
    while (sent === 0 && !worker.isIdle) await nextTurn();
    assert.equal(sent, 0);
    assert.ok(asks >= 2);
  });
});
