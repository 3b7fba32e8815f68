import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { composeCarrier } from '../../src/app/compose/compose-carrier.ts';
import { suspendDevices } from '../../src/features/device-lifecycle/index.ts';
import {
  byImei,
  DAY_MS,
  imei,
  makeLifecycleScene,
  TENANT,
} from '../../src/features/device-lifecycle/test/scene.ts';
import { inTx } from '../../src/platform/context/context.ts';
import { ACCOUNT } from '../support/fleet.ts';
import { nobodyEvaluates } from '../support/nobody-evaluates.ts';
import { makeWorld, START } from '../support/world.ts';

type Scene = Awaited<ReturnType<typeof makeLifecycleScene>>;

const advance = async ({ world }: Pick<Scene, 'world'>, duration: string) => {
  const answer = await world.operator('POST', '/clock', { advance: duration });
  assert.equal(answer.statusCode, 200, answer.body);
};
/** The callbacks since then, with the time of each in days from the beginning. */
const heard = async ({ db }: Pick<Scene, 'db'>, from = START) => {
  const rows = await db.many<{ service: string; at: Date; payload: string }>({
    text: 'select service_name as service, created_at as at, payload from callback_message order by created_at, service_name',
    values: [],
  });
  return rows.map(({ service, at, payload }) => {
    const { deviceResponse = {}, deviceIds } = JSON.parse(payload);
    return [
      service,
      Object.keys(deviceResponse)[0],
      (at.getTime() - from.getTime()) / DAY_MS,
      deviceIds[0].id as string,
    ];
  });
};

describe('a suspension', () => {
  // proves 6.1/ResumeTrackingNotification lines/end-of-a-suspension
  it('is announced 7 days before its end and ends automatically, each on time and once', async () => {
    const scene = await makeLifecycleScene();
    await scene.done('actions/suspend', { devices: byImei(1) });
    scene.world.pass(2 * DAY_MS);
    await scene.done('actions/suspend', { devices: byImei(2) });
    await advance(scene, 'P120D');
    assert.deepEqual([await scene.stateOf(1), await scene.stateOf(2)], ['active', 'active']);
    const all = await heard(scene);
    assert.deepEqual(
      all.filter(([, , , id]) => id === imei(1)),
      [
        ['CarrierService', 'suspendResponse', 0, imei(1)],
        ['ResumeTrackingNotification', 'resumeTrackingResponse', 83, imei(1)],
        ['CarrierService', 'restoreResponse', 90, imei(1)],
      ],
    );
    assert.deepEqual(
      all.filter(([, , , id]) => id === imei(2)).map(([, , at]) => at),
      [2, 85, 92],
    );
    const callbacks = (await scene.callbacksOf()).filter(({ deviceIds }) => deviceIds[0]?.id === imei(1));
    assert.equal(
      new Set(callbacks.map(({ requestId }) => requestId)).size,
      1,
      'all carry the id of the request',
    );
    assert.equal(callbacks[1]?.comment, 'Device will be auto resumed on - 2026-04-05T00:00:00.000Z');
  });

  it('is neither announced nor ended again if it was ended before', async () => {
    const scene = await makeLifecycleScene();
    await scene.done('actions/suspend', { devices: byImei(1, 2, 3) });
    scene.world.pass(80 * DAY_MS);
    await scene.done('actions/restore', { devices: byImei(1) });
    await scene.done('actions/deactivate', { devices: byImei(2), reasonCode: 'FF' });
    await advance(scene, 'P30D');
    const later = (await heard(scene)).filter(([, , at]) => Number(at) > 80);
    assert.deepEqual(later, [
      ['ResumeTrackingNotification', 'resumeTrackingResponse', 83, imei(3)],
      ['CarrierService', 'restoreResponse', 90, imei(3)],
    ]);
    assert.deepEqual([await scene.stateOf(1), await scene.stateOf(2)], ['active', 'deactive']);
  });

  it('whose end falls into a downtime is announced and ended when the service is back', async () => {
    const scene = await makeLifecycleScene();
    await scene.done('actions/suspend', { devices: byImei(1, 2) });
    scene.world.pass(200 * DAY_MS);
    const successor = await makeWorld({ databaseUrl: scene.world.databaseUrl });
    successor.clock.holdAt(scene.world.ctx.now());
    await successor.engine.settle();
    assert.deepEqual([await scene.stateOf(1), await scene.stateOf(2)], ['active', 'active']);
    const later = (await heard(scene)).filter(([, , at]) => Number(at) > 0).map(([, what]) => what);
    assert.deepEqual(
      later,
      ['restoreResponse', 'restoreResponse'],
      'an ended suspension is not announced any more',
    );
  });

  it('of more lines than fit in a batch ends for all of them', async () => {
    const devices = Array.from({ length: 2_100 }, (_, n) => ({
      accountName: ACCOUNT,
      imei: imei(20_000 + n),
      servicePlan: 'P-50MB',
    }));
    const scene = await makeLifecycleScene();
    await scene.world.import({ devices });
    await scene.done('actions/suspend', { accountName: ACCOUNT, servicePlan: 'P-50MB' });
    await advance(scene, 'P91D');
    const counted = Object.groupBy(await heard(scene), ([, what]) => String(what));
    assert.deepEqual(
      [counted['suspendResponse'], counted['resumeTrackingResponse'], counted['restoreResponse']].map(
        (list) => list?.length,
      ),
      [2_100, 2_100, 2_100],
    );
  });
});

describe('a suspension by another feature', () => {
  const { workJob } = composeCarrier(nobodyEvaluates.evaluateMove);

  // proves lines/suspended-already
  it('lasts as long as requested, is announced at once if it is short, and skips suspended lines', async () => {
    const scene = await makeLifecycleScene();
    const { ctx, engine } = scene.world;
    await scene.done('actions/suspend', { devices: byImei(1) });
    const ids = [await scene.idOf(1), await scene.idOf(2)];
    const suspend = (more: object) =>
      inTx(ctx, (tx) => suspendDevices(tx, TENANT, ids, { requestedBy: 'trigger 7', ...more }, workJob));
    const [requestId] = await suspend({ days: 5 });
    await engine.settle();
    await advance(scene, 'P6D');
    assert.deepEqual(
      (await heard(scene)).filter(([, , , id]) => id === imei(2)),
      [
        ['CarrierService', 'suspendResponse', 0, imei(2)],
        ['ResumeTrackingNotification', 'resumeTrackingResponse', 0, imei(2)],
        ['CarrierService', 'restoreResponse', 5, imei(2)],
      ],
    );
    assert.equal((await scene.callbacksOf(requestId)).length, 3);
    assert.deepEqual([await scene.stateOf(1), await scene.stateOf(2)], ['suspend', 'active']);
  });

  it('can end at a given time, but never later than its days allow', async () => {
    const scene = await makeLifecycleScene();
    const { ctx, engine } = scene.world;
    const until = async (n: number, untilDate: Date) => {
      const ids = [await scene.idOf(n)];
      await inTx(ctx, (tx) =>
        suspendDevices(tx, TENANT, ids, { untilDate, requestedBy: 'trigger 7' }, workJob),
      );
    };
    await until(1, new Date(START.getTime() + 26.25 * DAY_MS));
    await until(2, new Date(START.getTime() + 300 * DAY_MS));
    await engine.settle();
    await advance(scene, 'P120D');
    assert.deepEqual(
      (await heard(scene)).filter(([, what]) => what === 'restoreResponse'),
      [
        ['CarrierService', 'restoreResponse', 26.25, imei(1)],
        ['CarrierService', 'restoreResponse', 90, imei(2)],
      ],
    );
  });
});
