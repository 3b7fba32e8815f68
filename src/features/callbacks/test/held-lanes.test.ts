import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ECPD } from '../../../../test/support/callback-scene.ts';
import { inTx } from '../../../platform/context/context.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { DueMessage } from '../delivery/lane.ts';
import { listDueMessages, listOpenListeners } from '../delivery/sql-due.ts';
import { claimLanes, releaseLanes, renewLanes } from '../delivery/sql-lane.ts';
import { setListenerPaused } from '../listeners/sql-listener.ts';
import { type Callback, postCallbacks } from '../messages/post-callback.ts';
import { callback, openLane } from './lane-scene.ts';

describe('lanes read together', () => {
  it('each get their own messages after their own cursor, and learn whether those were all', async () => {
    const { ctx, lane } = await openLane();
    const other = { ...lane, serviceName: 'CarrierService' };
    const posted: Callback[] = [0, 1, 2].map((n) => callback(`r-${n}`));
    await postCallbacks(ctx, ECPD, posted);
    const find = async (limit: number, after?: DueMessage) => {
      const asked = [
        { lane: other, after: undefined, limit: 10 },
        { lane, after, limit },
      ];
      const [none, some] = await listDueMessages(ctx.db, ECPD, asked, ctx.now());
      assert.deepEqual(none, { messages: [], isWhole: true });
      return some!;
    };
    const first = await find(2);
    assert.equal(first.messages.length, 2);
    assert.equal(first.isWhole, false);
    const second = await find(2, first.messages[1]);
    assert.deepEqual([...first.messages, ...second.messages].map(({ requestId }) => requestId).sort(), [
      'r-0',
      'r-1',
      'r-2',
    ]);
    assert.equal(second.isWhole, true);
  });

  it('get a few megabytes together at most, and learn that there are more', async () => {
    const { ctx, lane } = await openLane();
    const large = 'x'.repeat(1_500_000);
    await postCallbacks(
      ctx,
      ECPD,
      [0, 1, 2, 3].map((n) => callback(`r-${n}`, { large })),
    );
    const asked = [lane, { ...lane }].map((each) => ({ lane: each, after: undefined, limit: 10 }));
    const [first, second] = await listDueMessages(ctx.db, ECPD, asked, ctx.now());
    assert.deepEqual([first!.messages.length, first!.isWhole], [3, false]);
    assert.deepEqual([second!.messages.length, second!.isWhole], [0, false]);
  });

  it('have no listener if another worker holds the lane, or the listener is paused', async () => {
    const { ctx, lane } = await openLane();
    const find = async (token = lane.leaseToken) =>
      (await listOpenListeners(ctx.db, ECPD, [{ ...lane, leaseToken: token }])).length;
    assert.equal(await find(), 1);
    assert.equal(await find(ctx.newId()), 0);
    await setListenerPaused(ctx.db, lane, 'AlertService', { paused: true, now: ctx.now() });
    assert.equal(await find(), 0);
  });
});

describe('a lane that was released', () => {
  it('is not recovered by a late renewal, and any worker can claim it', async () => {
    const { ctx, lane } = await openLane();
    assert.equal((await renewLanes(ctx.db, ECPD, [lane])).length, 1);
    await releaseLanes(ctx.db, ECPD, [lane]);
    assert.deepEqual(await renewLanes(ctx.db, ECPD, [lane]), []);
    assert.equal((await claimLanes(ctx.db, ECPD, [lane], ctx.newId())).length, 1);
  });
});

describe('a lane claimed by name', () => {
  it('is not even locked while another process holds it, and is not claimed while its listener is paused', async () => {
    const { ctx, lane } = await openLane();
    const claim = async () => (await claimLanes(ctx.db, ECPD, [lane], ctx.newId())).length;
    await inTx(ctx, async (tx) => {
      await tx.db.exec(sql`select 1 from callback_lane for update`);
      assert.equal(await claim(), 0);
    });
    await releaseLanes(ctx.db, ECPD, [lane]);
    await setListenerPaused(ctx.db, lane, 'AlertService', { paused: true, now: ctx.now() });
    assert.equal(await claim(), 0);
    await setListenerPaused(ctx.db, lane, 'AlertService', { paused: false, now: ctx.now() });
    assert.equal(await claim(), 1);
  });
});
