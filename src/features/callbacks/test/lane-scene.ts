import { ECPD, makeScene } from '../../../../test/support/callback-scene.ts';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { inTx } from '../../../platform/context/context.ts';
import { DueQueue } from '../delivery/due-queue.ts';
import type { DueMessage, LeasedLane } from '../delivery/lane.ts';
import { createLaneReads } from '../delivery/lane-reads.ts';
import { recordAttempts } from '../delivery/sql-attempts.ts';
import { claimLanes } from '../delivery/sql-lane.ts';
import { type Callback, postCallbacks } from '../messages/post-callback.ts';

export const callback = (requestId: string, payload: object = {}): Callback => ({
  ...{ accountName: ACCOUNT, serviceName: 'AlertService', requestId, payload },
});

/** A held lane, with the queue of its due messages. */
export async function openLane() {
  const world = await makeScene();
  const { ctx } = world;
  const name = { ecpdId: ECPD, accountName: ACCOUNT, serviceName: 'AlertService' } as LeasedLane;
  const [lane] = await claimLanes(ctx.db, ECPD, [name], ctx.newId());
  const reads = createLaneReads(ctx);
  const failing = { nextRead: false };
  const listDue: typeof reads.listDue = async (...asked) => {
    const fails = failing.nextRead;
    failing.nextRead = false;
    if (fails) throw new Error('the database is away');
    return reads.listDue(...asked);
  };
  const queue = new DueQueue(ctx, { ...reads, listDue }, lane!);
  const read = async () => {
    if (queue.wantsMore) await queue.read(async () => queue.open(true));
  };
  const settle = async (messages: readonly DueMessage[]) => {
    const outcome = { status: 200, error: null, latencyMs: 1, answer: '' };
    const ended = messages.map((message) => ({
      ...{ lane: lane!, message, startedAt: ctx.now(), outcome, nextDueAt: undefined },
    }));
    await recordAttempts(ctx.db, ECPD, ended);
    queue.settled(messages);
  };
  const post = (requestId: string) => inTx(ctx, (tx) => postCallbacks(tx, ECPD, [callback(requestId)]));
  return { ...world, lane: lane!, queue, read, settle, post, failing };
}
