import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MINUTE_MS, makeScene } from '../support/callback-scene.ts';
import { ACCOUNT } from '../support/fleet.ts';

describe('failed callbacks', () => {
  // proves 6.2/rule-4 callbacks/nobody-listens
  it('without a listener stay in the archive and can be re-sent by request id, counting from 1', async () => {
    const { user, post, delivery, listener, register, deliveries } = await makeScene();
    await user.call('DELETE', `/m2m/v1/callbacks/${ACCOUNT}/name/AlertService`);
    await post({}, 'lost');
    await delivery.settle();
    assert.deepEqual(
      (await deliveries('?requestId=lost')).map(({ state, attempts }: { state: string; attempts: [] }) => [
        state,
        attempts.length,
      ]),
      [['failed', 0]],
    );
    await register({});
    const resent = await user.call('POST', `/m2m/v1/callbacks/${ACCOUNT}/resend`, { requestId: 'lost' });
    assert.deepEqual(resent.json(), { resent: 1 });
    await delivery.settle();
    assert.equal(listener.heard[0]?.body['callbackCount'], 1);
    assert.equal((await deliveries('?requestId=lost'))[0].state, 'delivered');
    const again = await user.call('POST', `/m2m/v1/callbacks/${ACCOUNT}/resend`, { requestId: 'lost' });
    assert.deepEqual(again.json(), { resent: 0 });
  });

  // proves callbacks/no-url
  it('are recorded at once if the listener has no address', async () => {
    const { post, delivery, listener, user, deliveries } = await makeScene();
    await user.call('POST', `/m2m/v1/callbacks/${ACCOUNT}`, { name: 'AlertService' });
    await post({});
    assert.equal(await delivery.settle(), 0);
    assert.deepEqual([(await deliveries())[0].state, listener.heard.length], ['failed', 0]);
  });

  // proves callbacks/nobody-listens callbacks/changed-listeners
  it('are recorded at once when their listener is removed', async () => {
    const { user, post, delivery, deliveries } = await makeScene(500);
    await post({});
    await delivery.settle();
    await user.call('DELETE', `/m2m/v1/callbacks/${ACCOUNT}/name/AlertService`);
    assert.equal((await deliveries())[0].state, 'failed');
  });

  // proves callbacks/nobody-listens callbacks/signature callbacks/re-sending
  it('start a new series with the same webhook id when the operator re-sends them', async () => {
    const { post, delivery, listener, operator, pass, deliveries } = await makeScene(500);
    const [id] = await post({}, 'again');
    for (let i = 0; i < 4; i++, pass(5 * MINUTE_MS)) await delivery.settle();
    listener.answer = 200;
    assert.deepEqual((await operator('POST', '/callbacks/resend', { requestId: 'again' })).json(), {
      resent: 1,
    });
    await delivery.settle();
    assert.deepEqual(
      listener.heard.map(({ body }) => body['callbackCount']),
      [1, 2, 3, 4, 1],
    );
    assert.ok(listener.heard.every(({ headers }) => headers['webhook-id'] === id));
    const [{ state, attempts }] = await deliveries();
    assert.deepEqual([state, attempts.at(-1).series], ['delivered', 2]);
  });
});
