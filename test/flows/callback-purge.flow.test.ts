import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../src/platform/db/sql.ts';
import { MINUTE_MS, makeScene } from '../support/callback-scene.ts';

describe('the purge of callbacks', () => {
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
    assert.equal((await ctx.db.many(sql`select 1 from callback_attempt`)).length, 0);
  });
});
