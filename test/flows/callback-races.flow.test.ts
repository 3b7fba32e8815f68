import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createCallbackHttp } from '../../src/adapters/callback-http/index.ts';
import {
  type Callback,
  createDeliveryEngine,
  deleteMessagesAbout,
  postCallbacks,
} from '../../src/features/callbacks/index.ts';
import type { AccountName, EcpdId } from '../../src/kernel/account-name.ts';
import { type Ctx, inTx } from '../../src/platform/context.ts';
import type { NotificationFeed } from '../../src/platform/db/listen.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { ECPD, makeScene } from '../support/callback-scene.ts';
import { ACCOUNT } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import type { World } from '../support/world.ts';

const callback = (requestId: string, more: Partial<Callback> = {}): Callback => ({
  accountName: ACCOUNT,
  serviceName: 'AlertService',
  requestId,
  payload: { requestId },
  ...more,
});

/** Posted, and committed when the test says so. */
async function postLater({ ctx }: Pick<World, 'ctx'>, requestId: string) {
  const [posted, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const committed = inTx(ctx, async (tx) => {
    await postCallbacks(tx, ECPD, [callback(requestId)]);
    posted.resolve();
    await commit.promise;
  });
  await posted.promise;
  return () => {
    commit.resolve();
    return committed;
  };
}

/** Another one beside that of the world, to which all consents hold. */
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

describe('a callback that is committed after later ones were fetched', () => {
  it('leaves while the lane still waits for the answer to another', async () => {
    const scene = await makeScene('never');
    const { ctx, delivery, listener, pass } = scene;
    delivery.start();
    await postCallbacks(ctx, ECPD, [callback('never answered')]);
    await listener.next(1);
    listener.answer = 200;
    pass(1);
    const commit = await postLater(scene, 'late');
    pass(1);
    await postCallbacks(ctx, ECPD, [callback('later')]);
    await listener.next(2);
    await commit();
    await listener.next(3);
    assert.deepEqual(
      listener.heard.map(({ body }) => body['requestId']),
      ['never answered', 'later', 'late'],
    );
  });
});

describe('a callback that is committed after its listener was removed', () => {
  it('is failed, and not sent to one that is registered later', async () => {
    const scene = await makeScene();
    const { delivery, listener, user, register, deliveries } = scene;
    const commit = await postLater(scene, 'late');
    await user.call('DELETE', `/m2m/v1/callbacks/${ACCOUNT}/name/AlertService`);
    await commit();
    assert.equal((await register({})).statusCode, 200);
    await delivery.settle();
    assert.equal(listener.heard.length, 0);
    assert.equal((await deliveries())[0].state, 'failed');
  });

  it('is failed by the next purge, where no listener is registered', async () => {
    const scene = await makeScene();
    const commit = await postLater(scene, 'late');
    await scene.user.call('DELETE', `/m2m/v1/callbacks/${ACCOUNT}/name/AlertService`);
    await commit();
    await scene.engine.start();
    await scene.engine.settle();
    assert.equal((await scene.deliveries())[0].state, 'failed');
  });
});

describe('callbacks whose results cannot be written for longer than a lease lasts', () => {
  /** Longer than a statement waits for a lock. */
  const BLOCKED_MS = 11_500;

  it('are not sent again by the process that holds them', async () => {
    const { ctx, delivery, listener, deliveries } = await makeScene();
    await postCallbacks(
      ctx,
      ECPD,
      ['a', 'b', 'c'].map((id) => callback(id)),
    );
    const [blocked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const blocking = ctx.db.tx(async (tx) => {
      await tx.exec(sql`select from callback_pending for update`);
      blocked.resolve();
      await released.promise;
    });
    await blocked.promise;
    delivery.start();
    await listener.next(3);
    await new Promise((resolve) => setTimeout(resolve, BLOCKED_MS));
    released.resolve();
    await blocking;
    await delivery.settle();
    assert.equal(listener.heard.length, 3);
    for (const { state } of await deliveries()) assert.equal(state, 'delivered');
  });
});

describe('what was said about where a device is', () => {
  it('is not sent any more once it was erased, also where it was fetched before', async () => {
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
    // Some were on their way to it just then.
    assert.ok(listener.heard.length < left + 50, `${listener.heard.length} after ${left}`);
  });
});

describe('a listener that an import gives another address', () => {
  it('gets there what was fetched before', async () => {
    const { ctx, delivery, listener, register, ...world } = await makeScene('never');
    const other = await openListener();
    await register({});
    await postCallbacks(
      ctx,
      ECPD,
      Array.from({ length: 100 }, (_, n) => callback(`r-${n}`)),
    );
    delivery.start();
    await listener.next(1);
    await world.import({
      listeners: [{ accountName: ACCOUNT, serviceName: 'AlertService', url: other.url }],
    });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    listener.release(200);
    await delivery.settle();
    assert.ok(other.heard.length > 0);
    assert.equal(listener.heard.length + other.heard.length, 100);
  });
});

describe('a change of a listener that was not heard of', () => {
  it('counts from when the connection that listens is there again', async () => {
    const { ctx, listener } = await makeScene('never');
    const other = await openListener();
    let tellGap = () => {};
    const feed = {
      ...{ on() {}, catchUp: async () => {}, isCurrent: () => true, close: async () => {} },
      onGap(listen: () => void) {
        tellGap = listen;
      },
    };
    const engine = openEngine(ctx, feed);
    await postCallbacks(
      ctx,
      ECPD,
      Array.from({ length: 100 }, (_, n) => callback(`r-${n}`)),
    );
    engine.start();
    await listener.next(1);
    await ctx.db.exec(sql`update callback_listener set url = ${other.url}`);
    tellGap();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    listener.release(200);
    await engine.settle();
    assert.ok(other.heard.length > 0);
    assert.equal(listener.heard.length + other.heard.length, 100);
  });
});
