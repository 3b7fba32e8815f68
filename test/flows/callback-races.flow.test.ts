import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Callback, postCallbacks } from '../../src/features/callbacks/index.ts';
import { inTx } from '../../src/platform/context/context.ts';
import { ECPD, MINUTE_MS, makeScene } from '../support/callback-scene.ts';
import { ACCOUNT } from '../support/fleet.ts';
import type { World } from '../support/world.ts';

const callback = (requestId: string): Callback => ({
  accountName: ACCOUNT,
  serviceName: 'AlertService',
  requestId,
  payload: { requestId },
});

/** Posts a callback that is committed when the test says so. */
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

describe('a callback that is committed after later ones were fetched', () => {
  it('is sent while the lane still waits for the answer to another', async () => {
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
  it('fails, and is not sent to a listener registered later', async () => {
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

  it('fails at the next purge if no listener is registered', async () => {
    const scene = await makeScene();
    const commit = await postLater(scene, 'late');
    await scene.user.call('DELETE', `/m2m/v1/callbacks/${ACCOUNT}/name/AlertService`);
    await commit();
    await scene.engine.start();
    scene.pass(MINUTE_MS);
    await scene.engine.settle();
    assert.equal((await scene.deliveries())[0].state, 'failed');
  });
});
