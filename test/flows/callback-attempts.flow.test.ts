import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { postCallbacks } from '../../src/features/callbacks/index.ts';
import { inTx } from '../../src/platform/context/context.ts';
import { ECPD, MINUTE_MS, makeScene } from '../support/callback-scene.ts';
import { ACCOUNT } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';

describe('a callback', () => {
  // proves 5/rule-4 6.3/envelope callbacks/signature callbacks/acknowledgement
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
    assert.match(String(headers['user-agent']), /^Linekeeper\/\d/);
    assert.doesNotThrow(() => new Webhook(secret).verify(text, headers as Record<string, string>));
    const [{ state, attempts }] = await deliveries();
    assert.deepEqual(
      [state, attempts.length, attempts[0].status, attempts[0].body],
      ['delivered', 1, 200, 'answered 200'],
    );
  });

  // proves callbacks/acknowledgement
  it('is never sent if its transaction rolls back', async () => {
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

  // proves 6.2/rule-4 8/callback-attempts callbacks/attempts
  it('gets four attempts, each 300 s after the end of the previous one and never early, and then fails', async () => {
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

  // proves 6.2/rule-4
  it('is acknowledged only by a 2xx; a redirect is not followed', async () => {
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

  it('is acknowledged by the status line, which counts and is recorded even if the rest is cut off', async (t) => {
    const { register, post, delivery, deliveries } = await makeScene();
    const server = createServer((request, response) => {
      const status = Number(request.url!.slice(1));
      response
        .writeHead(status, { 'content-length': 9 })
        .write('ab', () => setTimeout(() => response.destroy(), 50));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    for (const [status, state, error] of [
      [202, 'delivered', null],
      [503, 'pending', 'connection reset'],
    ] as const) {
      await register({ url: `http://127.0.0.1:${port}/${status}` });
      await post({}, `r-${status}`);
      await delivery.settle();
      const [{ state: found, attempts }] = await deliveries(`?requestId=r-${status}`);
      assert.deepEqual(
        [found, attempts.length, attempts[0].status, attempts[0].error, attempts[0].body],
        [state, 1, status, error, 'ab'],
      );
    }
  });

  // proves callbacks/changed-listeners
  it('is tried next at the new address with the new credentials if its listener changed', async () => {
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

  // proves callbacks/secret
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
