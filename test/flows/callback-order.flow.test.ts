import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { createCallbackHttp } from '../../src/adapters/callback-http/index.ts';
import {
  type Callback,
  createDeliveryEngine,
  inSequence,
  postCallbacks,
} from '../../src/features/callbacks/index.ts';
import { ECPD, MINUTE_MS, makeScene } from '../support/callback-scene.ts';
import { ACCOUNT } from '../support/fleet.ts';
import type { Listener } from '../support/listener.ts';

const callback = (requestId: string): Callback => ({
  accountName: ACCOUNT,
  serviceName: 'AlertService',
  requestId,
  payload: { requestId },
});
const LEVELS = inSequence(['50', '75', '100'].map(callback));
const heardBy = ({ heard }: Listener) => heard.map(({ body }) => body['requestId']);

describe('callbacks in sequence', () => {
  it('each wait for the answer to the previous one, while others overtake them', async () => {
    const { ctx, delivery, listener } = await makeScene('never');
    await postCallbacks(ctx, ECPD, [...LEVELS, callback('other')]);
    delivery.start();
    await listener.next(2);
    assert.deepEqual(new Set(heardBy(listener)), new Set(['50', 'other']));
    listener.release(200);
    await listener.next(4);
    assert.deepEqual(heardBy(listener).slice(2), ['75', '100']);
  });

  it('do not wait for the next attempt of a failed one, which waits for no other', async () => {
    const { ctx, delivery, listener, pass } = await makeScene(503);
    await postCallbacks(ctx, ECPD, LEVELS);
    await delivery.settle();
    assert.deepEqual(heardBy(listener), ['50', '75', '100']);
    listener.answer = 'never';
    pass(5 * MINUTE_MS);
    await postCallbacks(ctx, ECPD, LEVELS.slice(2));
    delivery.start();
    // Two of one key without an answer: neither waited for the other.
    await listener.next(5);
    listener.release(200);
    await delivery.settle();
    assert.deepEqual(heardBy(listener).slice(3).sort(), ['100', '100', '50', '75']);
  });

  it('of a stopped worker continue in order', async () => {
    const { ctx, delivery, listener } = await makeScene('never');
    await postCallbacks(ctx, ECPD, LEVELS);
    delivery.start();
    await listener.next(1);
    const stopped = delivery.stop();
    listener.release(200);
    await stopped;
    assert.deepEqual(heardBy(listener), ['50']);
    const http = createCallbackHttp({ allow: ['loopback'] });
    const next = createDeliveryEngine(ctx, {
      send: http.send,
      userAgent: 'next',
      withhold: async () => new Map(),
    });
    await next.settle();
    await next.stop();
    await http.close();
    assert.deepEqual(heardBy(listener), ['50', '75', '100']);
  });

  it('stay in order when they are re-sent together', async () => {
    const { ctx, delivery, listener, operator, pass } = await makeScene(500);
    await postCallbacks(ctx, ECPD, [...LEVELS, callback('other')]);
    for (let attempt = 1; attempt <= 4; attempt++, pass(5 * MINUTE_MS)) await delivery.settle();
    const before = listener.heard.length;
    listener.answer = 'never';
    const resent = await operator('POST', '/callbacks/resend', { accountName: ACCOUNT });
    assert.deepEqual(resent.json(), { resent: 4 });
    delivery.start();
    await listener.next(before + 2);
    assert.deepEqual(new Set(heardBy(listener).slice(before)), new Set(['50', 'other']));
    listener.release(200);
    await listener.next(before + 4);
    assert.deepEqual(heardBy(listener).slice(before + 2), ['75', '100']);
  });

  it('of many subjects in several batches never overtake each other, and different subjects run concurrently', async (t) => {
    const { ctx, delivery, register } = await makeScene();
    const subjects = Array.from({ length: 200 }, (_, n) => `s${n}`);
    const levels = [1, 2, 3, 4];
    const underWay = new Set<string>();
    const twice: string[] = [];
    const heard = new Map<string, number[]>(subjects.map((subject) => [subject, []]));
    let most = 0;
    const server = createServer(async (request, response) => {
      const { subject, level } = JSON.parse((await request.toArray()).join(''));
      if (underWay.has(subject)) twice.push(subject);
      underWay.add(subject);
      most = Math.max(most, underWay.size);
      heard.get(subject)!.push(level);
      setTimeout(
        () => {
          underWay.delete(subject);
          response.end();
        },
        5 * (levels.length - level),
      );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    t.after(() => server.close());
    await register({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
    const posted = levels.flatMap((level) =>
      subjects.map((subject) => ({
        ...callback(`${subject}-${level}`),
        payload: { subject, level },
        orderKey: subject,
      })),
    );
    await postCallbacks(ctx, ECPD, posted);
    assert.equal(await delivery.settle(), posted.length);
    assert.deepEqual(twice, []);
    assert.deepEqual(heard, new Map(subjects.map((subject) => [subject, levels])));
    assert.ok(most > 1);
  });
});
