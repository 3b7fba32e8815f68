import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { postCallbacks } from '../../src/features/callbacks/index.ts';
import { ECPD, makeScene } from '../support/callback-scene.ts';
import { ACCOUNT } from '../support/fleet.ts';

describe('many callbacks', () => {
  it('of one fan-out commit in one statement, and each arrives once', async () => {
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

  it('are held back while their listener is paused, and continue when it is resumed', async () => {
    const { post, delivery, listener, operator } = await makeScene();
    const one = { accountName: ACCOUNT, serviceName: 'AlertService' };
    await operator('POST', '/callbacks/pause', one);
    await post({});
    assert.equal(await delivery.settle(), 0);
    await operator('POST', '/callbacks/resume', one);
    assert.equal(await delivery.settle(), 1);
    assert.equal(listener.heard.length, 1);
  });

  it('are sent at once by a running engine, also if it was idle', async () => {
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
