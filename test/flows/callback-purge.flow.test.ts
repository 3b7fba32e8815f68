import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { postCallbacks } from '../../src/features/callbacks/index.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { ECPD, MINUTE_MS, makeScene } from '../support/callback-scene.ts';
import { ACCOUNT } from '../support/fleet.ts';

describe('the purge of callbacks', () => {
  // proves 6.2/rule-4 8/callback-archive callbacks/re-sending
  it('keeps failed ones for 30 days and delivered ones for 7', async () => {
    const { post, delivery, listener, pass, engine, ctx } = await makeScene();
    await post({}, 'delivered');
    await delivery.settle();
    listener.answer = 500;
    await post({}, 'failed');
    for (let i = 0; i < 4; i++, pass(5 * MINUTE_MS)) await delivery.settle();
    await engine.addRecurring();
    const kept = async () =>
      (await ctx.db.many<{ r: string }>(sql`select request_id as r from callback_message order by 1`)).map(
        ({ r }) => r,
      );
    pass(6 * 24 * 60 * MINUTE_MS);
    await engine.settle();
    assert.deepEqual(await kept(), ['delivered', 'failed']);
    pass(24 * 60 * MINUTE_MS);
    await engine.settle();
    assert.deepEqual(await kept(), ['failed']);
    pass(24 * 24 * 60 * MINUTE_MS);
    await engine.settle();
    assert.deepEqual(await kept(), []);
    for (const table of [sql`callback_attempt`, sql`callback_failed`])
      assert.deepEqual(await ctx.db.many(sql`select * from ${table}`), []);
  });

  it('gets past any number of failed ones that must be kept', async () => {
    const { post, delivery, pass, engine, ctx } = await makeScene();
    const kept = Array.from({ length: 4_500 }, () => ({
      accountName: ACCOUNT,
      serviceName: 'Fota' as const,
      requestId: 'kept',
      payload: {},
    }));
    await postCallbacks(ctx, ECPD, kept);
    pass(1);
    await post({}, 'delivered');
    await delivery.settle();
    await engine.addRecurring();
    pass(8 * 24 * 60 * MINUTE_MS);
    await engine.settle();
    const left = await ctx.db.many(
      sql`select request_id, count(*)::int as n from callback_message group by 1`,
    );
    assert.deepEqual(left, [{ request_id: 'kept', n: 4_500 }]);
  });
});
