import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { postCallbacks } from '../../src/features/callbacks/index.ts';
import { inTx } from '../../src/platform/context.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, asUser, SMALL_FLEET } from '../support/fleet.ts';
import { type Listener, openListener } from '../support/listener.ts';
import { makeWorld } from '../support/world.ts';

const MINUTE_MS = 60_000;
const ECPD = '9000001';

async function makeScene(answer: Listener['answer'] = 200, service = 'AlertService') {
  const world = await makeWorld();
  await world.import(SMALL_FLEET);
  const listener = await openListener(answer);
  const user = await asUser(world);
  const register = (body: object) =>
    user.call('POST', `/m2m/v1/callbacks/${ACCOUNT}`, { name: service, url: listener.url, ...body });
  const registered = await register({ username: 'me', password: 'word' });
  assert.equal(registered.statusCode, 200, registered.body);
  const post = (payload: object, requestId = 'r-1') =>
    inTx(world.ctx, (tx) =>
      postCallbacks(tx, ECPD, [{ accountName: ACCOUNT, serviceName: service as never, requestId, payload }]),
    );
  const deliveries = async (query = '') =>
    (await user.call('GET', `/m2m/v1/callbacks/${ACCOUNT}/deliveries${query}`)).json();
  return {
    ...world,
    listener,
    user,
    register,
    post,
    deliveries,
    secret: String(registered.headers['webhook-secret']),
  };
}

describe('a callback', () => {
  it('arrives with the credentials, its count and a signature that verifies', async () => {
    const { post, delivery, listener, secret, deliveries } = await makeScene();
    const [id] = await post({ requestId: 'r-1', deviceResponse: { ok: true }, status: 'Success' });
    await delivery.settle();
    const [{ body, headers, text } = assert.fail('nothing arrived')] = listener.heard;
    assert.deepEqual(body, {
      username: 'me',
      password: 'word',
      requestId: 'r-1',
      deviceResponse: { ok: true },
      status: 'Success',
      callbackCount: 1,
      maxCallbackThreshold: 4,
    });
    assert.equal(headers['webhook-id'], id);
    assert.equal(headers['x-request-id'], 'r-1');
    assert.match(String(headers['user-agent']), /^Linekeeper\/\d/);
    assert.doesNotThrow(() => new Webhook(secret).verify(text, headers as Record<string, string>));
    const [{ state, attempts }] = await deliveries();
    assert.deepEqual(
      [state, attempts.length, attempts[0].status, attempts[0].body],
      ['delivered', 1, 200, 'answered 200'],
    );
  });

  it('that was posted in a transaction that rolled back never was', async () => {
    const { ctx, delivery, listener } = await makeScene();
    await assert.rejects(
      inTx(ctx, async (tx) => {
        await postCallbacks(tx, ECPD, [
          { accountName: ACCOUNT, serviceName: 'AlertService', requestId: 'r', payload: {} },
        ]);
        throw new Error('changed my mind');
      }),
    );
    assert.equal(await delivery.settle(), 0);
    assert.equal(listener.heard.length, 0);
  });

  it('gets four attempts, each 300 s after the end of the one before and never early, then it has failed', async () => {
    const { post, delivery, listener, pass, operator, ctx } = await makeScene(500);
    await post({ n: 1 });
    const start = ctx.now().getTime();
    const sentAt: number[] = [];
    for (let second = 0; second <= 25 * 60; second += 30, pass(30_000)) {
      const before = listener.heard.length;
      await delivery.settle();
      if (listener.heard.length > before) sentAt.push((ctx.now().getTime() - start) / MINUTE_MS);
    }
    assert.deepEqual(sentAt, [0, 5, 10, 15]);
    assert.deepEqual(
      listener.heard.map(({ body }) => body['callbackCount']),
      [1, 2, 3, 4],
    );
    assert.equal(new Set(listener.heard.map(({ headers }) => headers['webhook-id'])).size, 1);
    const [{ state, attempts, nextAttemptAt }] = (await operator('GET', '/callbacks')).json();
    assert.deepEqual([state, attempts.length, nextAttemptAt], ['failed', 4, null]);
  });

  it('is acknowledged by any 2xx and by nothing else: a redirect is not followed', async () => {
    for (const [answer, state] of [
      [204, 'delivered'],
      [299, 'delivered'],
      [301, 'pending'],
      [404, 'pending'],
    ] as const) {
      const { post, delivery, deliveries, listener } = await makeScene(answer);
      await post({});
      await delivery.settle();
      assert.deepEqual([(await deliveries())[0].state, listener.heard.length], [state, 1]);
    }
  });

  it('whose listener changed gets its next attempt at the new address, with the new credentials', async () => {
    const { post, delivery, listener, pass, register } = await makeScene(503);
    await post({});
    await delivery.settle();
    const other = await openListener();
    await register({ url: other.url, username: 'new' });
    pass(5 * MINUTE_MS);
    await delivery.settle();
    assert.deepEqual([listener.heard.length, other.heard.length], [1, 1]);
    assert.deepEqual(
      [
        other.heard[0]?.body['username'],
        other.heard[0]?.body['password'],
        other.heard[0]?.body['callbackCount'],
      ],
      ['new', undefined, 2],
    );
  });

  it('is signed with both secrets for a day while they rotate', async () => {
    const { post, delivery, listener, register, secret, pass } = await makeScene();
    const rotated = String((await register({ rotateSecret: true })).headers['webhook-secret']);
    const verifies = async (key: string) => {
      await post({}, 'x');
      await delivery.settle();
      const { text, headers } = listener.heard.at(-1)!;
      try {
        new Webhook(key).verify(text, headers as Record<string, string>);
        return true;
      } catch {
        return false;
      }
    };
    assert.deepEqual([await verifies(secret), await verifies(rotated)], [true, true]);
    pass(24 * 60 * MINUTE_MS);
    assert.deepEqual([await verifies(secret), await verifies(rotated)], [false, true]);
  });
});

describe('failed callbacks', () => {
  it('without a listener wait in the archive and are re-sent by request id, counting from 1', async () => {
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

  it('are made at once where the listener has no address', async () => {
    const { post, delivery, listener, user, deliveries } = await makeScene();
    await user.call('POST', `/m2m/v1/callbacks/${ACCOUNT}`, { name: 'AlertService' });
    await post({});
    assert.equal(await delivery.settle(), 0);
    assert.deepEqual([(await deliveries())[0].state, listener.heard.length], ['failed', 0]);
  });

  it('are made by removing a listener, at once', async () => {
    const { user, post, delivery, deliveries } = await makeScene(500);
    await post({});
    await delivery.settle();
    await user.call('DELETE', `/m2m/v1/callbacks/${ACCOUNT}/name/AlertService`);
    assert.equal((await deliveries())[0].state, 'failed');
  });

  it('re-sent by the operator are a new series with the same webhook id', async () => {
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

  it('are kept for 30 days and delivered ones for 7', async () => {
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

describe('many callbacks', () => {
  it('of one fan-out commit in one statement and each arrives once', async () => {
    const { ctx, delivery, listener } = await makeScene();
    const callbacks = Array.from({ length: 2_000 }, (_, n) => ({
      accountName: ACCOUNT,
      serviceName: 'AlertService' as const,
      requestId: 'fan-out',
      payload: { n },
    }));
    await postCallbacks(ctx, ECPD, callbacks);
    assert.equal(await delivery.settle(), 2_000);
    assert.deepEqual(
      listener.heard.map(({ body }) => Number(body['n'])).sort((a, b) => a - b),
      callbacks.map(({ payload }) => payload.n),
    );
  });

  it('are held back while their listener is paused, and go on when it is resumed', async () => {
    const { post, delivery, listener, operator } = await makeScene();
    const one = { accountName: ACCOUNT, serviceName: 'AlertService' };
    await operator('POST', '/callbacks/pause', one);
    await post({});
    assert.equal(await delivery.settle(), 0);
    await operator('POST', '/callbacks/resume', one);
    assert.equal(await delivery.settle(), 1);
    assert.equal(listener.heard.length, 1);
  });

  it('are sent at once by a running engine, also when it was idle', async () => {
    const { post, delivery, listener } = await makeScene();
    delivery.start();
    await post({ n: 1 });
    await listener.next(1);
    await post({ n: 2 });
    await listener.next(2);
    assert.deepEqual(
      listener.heard.map(({ body }) => body['n']),
      [1, 2],
    );
  });
});

describe('the operator', () => {
  it('sends any callback service through the same engine and sees it in the log', async () => {
    const { operator, delivery, listener } = await makeScene(200, 'PromoChanges');
    const sent = await operator('POST', '/events', {
      accountName: ACCOUNT,
      serviceName: 'PromoChanges',
      payload: { promo: 'X' },
    });
    assert.equal(sent.statusCode, 200, sent.body);
    await delivery.settle();
    assert.deepEqual(
      [listener.heard[0]?.body['promo'], listener.heard[0]?.body['requestId']],
      ['X', sent.json().requestId],
    );
    const [logged] = (await operator('GET', `/callbacks?requestId=${sent.json().requestId}`)).json();
    assert.deepEqual([logged.id, logged.state, logged.attempts.length], [sent.json().id, 'delivered', 1]);
  });

  it('moves the clock over the retries of a dead listener and sees all four attempts', async () => {
    const { operator, post, listener } = await makeScene(500);
    await post({});
    const answer = await operator('POST', '/clock', { advance: 'PT20M' });
    assert.equal(answer.statusCode, 200, answer.body);
    assert.equal(listener.heard.length, 4);
    assert.equal((await operator('GET', '/callbacks?state=failed')).json().length, 1);
  });
});
