import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCallbackHttp } from '../../src/adapters/callback-http/index.ts';
import {
  type Callback,
  createDeliveryEngine,
  deleteMessagesAbout,
  postCallbacks,
} from '../../src/features/callbacks/index.ts';
import type { AccountName, EcpdId } from '../../src/kernel/account-name.ts';
import type { Ctx } from '../../src/platform/context/context.ts';
import type { NotificationFeed } from '../../src/platform/db/listen.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { ECPD, makeScene } from '../support/callback-scene.ts';
import { ACCOUNT } from '../support/fleet.ts';
import { type Listener, openListener } from '../support/listener.ts';

/** Fetched at once, and more than are sent concurrently. */
const MANY = 100;

const callback = (requestId: string, more: Partial<Callback> = {}): Callback => ({
  accountName: ACCOUNT,
  serviceName: 'AlertService',
  requestId,
  payload: { requestId },
  ...more,
});

/** Another engine next to the world's, for which all consents hold. */
function openEngine(ctx: Ctx, feed?: NotificationFeed) {
  const http = createCallbackHttp({ allow: ['loopback'] });
  const engine = createDeliveryEngine(ctx, {
    ...(feed && { feed }),
    send: http.send,
    userAgent: 'test',
    withhold: async () => new Map(),
  });
  after(async () => {
    await engine.stop();
    await http.close();
  });
  return engine;
}

/** Sends slowly, one after the other, until this holds, and then the rest. */
async function answerUntil(listener: Listener, holds: () => boolean): Promise<void> {
  for (; !holds() && listener.heard.length < MANY; await sleep(100)) listener.releaseOne(200);
  assert.ok(holds(), `${listener.heard.length} went to the old address`);
  listener.release(200);
}

describe('a callback with a position', () => {
  it('is no longer sent once it was erased, even if it was already fetched', async () => {
    const { ctx, listener } = await makeScene('never');
    const engine = openEngine(ctx);
    const restsOn = { deviceId: ctx.newId(), accuracy: 'precise' } as const;
    const many = Array.from({ length: 200 }, (_, n) => callback(`r-${n}`, { restsOn }));
    await postCallbacks(ctx, ECPD, many);
    engine.start();
    await listener.next(1);
    await deleteMessagesAbout(ctx.db, { ecpdId: ECPD as EcpdId, accountName: ACCOUNT as AccountName });
    const left = listener.heard.length;
    listener.release(200);
    await engine.settle();
    // Some were being sent at that moment.
    assert.ok(listener.heard.length < left + 50, `${listener.heard.length} after ${left}`);
  });
});

describe('a listener that an import gives another address', () => {
  it('gets the callbacks that were fetched before', async () => {
    const { ctx, delivery, listener, register, ...world } = await makeScene('never');
    const other = await openListener();
    await register({});
    await postCallbacks(
      ctx,
      ECPD,
      Array.from({ length: MANY }, (_, n) => callback(`r-${n}`)),
    );
    delivery.start();
    await listener.next(1);
    await world.import({
      listeners: [{ accountName: ACCOUNT, serviceName: 'AlertService', url: other.url }],
    });
    await answerUntil(listener, () => other.heard.length > 0);
    await delivery.settle();
    assert.equal(listener.heard.length + other.heard.length, MANY);
  });
});

describe('a change of a listener whose notification was lost', () => {
  it('takes effect when the listening connection is back', async () => {
    const { ctx, listener } = await makeScene('never');
    const other = await openListener();
    let reportGap = () => {};
    const feed = {
      ...{ on() {}, catchUp: async () => {}, isCurrent: () => true, close: async () => {} },
      onGap(listen: () => void) {
        reportGap = listen;
      },
    };
    const engine = openEngine(ctx, feed);
    await postCallbacks(
      ctx,
      ECPD,
      Array.from({ length: MANY }, (_, n) => callback(`r-${n}`)),
    );
    engine.start();
    await listener.next(1);
    await ctx.db.exec(sql`update callback_listener set url = ${other.url}`);
    reportGap();
    await answerUntil(listener, () => other.heard.length > 0);
    await engine.settle();
    assert.equal(listener.heard.length + other.heard.length, MANY);
  });
});
