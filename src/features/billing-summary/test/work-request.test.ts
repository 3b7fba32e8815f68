import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { answerRequest, purgeSummaries } from '../jobs.ts';
import { ACCOUNT, makeBillingScene, NOON, record } from './scene.ts';

const scene = await makeBillingScene();
const { ctx } = scene;
const DAY_MS = 86_400_000;
const signal = new AbortController().signal;

describe('a request', () => {
  it('is kept for 30 days after its end, and while it is open', async () => {
    await scene.callbacksFor({});
    const open = (await scene.ask({})).json().requestId;
    const ids = async () =>
      (await ctx.db.many<{ id: string }>(sql`select request_id as id from billing_request`)).map(
        ({ id }) => id,
      );
    const purge = () => purgeSummaries.run(ctx, {}, { signal } as never);
    scene.pass(30 * DAY_MS - 1);
    await purge();
    assert.equal((await ids()).length, 2);
    scene.pass(2);
    await purge();
    assert.deepEqual(await ids(), [open]);
    scene.clock.holdAt(NOON);
    await scene.callbacksOf(open);
  });

  it('posts one failure if no worker could finish it, and has then ended', async () => {
    const { requestId } = (await scene.ask({})).json();
    const payload = { accountName: ACCOUNT, requestId, done: 0, told: false };
    await answerRequest.onGivenUp?.(ctx, payload, { ecpdId: '9000001' });
    await answerRequest.onGivenUp?.(ctx, payload, { ecpdId: '9000001' });
    const [message, ...others] = await scene.callbacksOf(requestId);
    assert.deepEqual([message?.status, others], ['Failed', []]);
    assert.match(message?.faultResponse?.faultcode ?? '', /UnexpectedError$/);
  });

  it('posts nothing after its account was deleted, and is deleted with it', async () => {
    await scene.feed([record()]);
    const { requestId } = (await scene.ask({})).json();
    assert.equal((await scene.operator('DELETE', `/accounts/${ACCOUNT}`)).statusCode, 200);
    assert.deepEqual(await scene.callbacksOf(requestId), []);
    const left = await ctx.db.many(sql`
      select account_name from billing_request union all select account_name from usage_bill_day`);
    assert.deepEqual(left, []);
  });
});
