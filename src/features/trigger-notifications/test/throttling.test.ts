import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { A, B, DAY_MS, HOUR_MS, KB, LINES, makeNotifyingScene } from './scene.ts';

const { world, db, use, listen, callbacks, startOver } = await makeNotifyingScene();
const SERVICE = 'SubscriptionNotificationService';

beforeEach(startOver);

const notices = async () => (await callbacks(SERVICE)).map(({ payload }) => payload);

// proves price-plan-triggers/throttling
describe('the notice of throttling', () => {
  // proves 6.1/SubscriptionNotificationService
  it('is sent when a line reaches the point where its plan throttles, without any trigger', async () => {
    await listen(A, SERVICE);
    await use([[LINES.a1, 79]]);
    assert.deepEqual(await notices(), []);
    await use([[LINES.a1, 2]]);
    assert.deepEqual(await notices(), [
      {
        accountName: A,
        deviceIds: [
          { id: LINES.a1, kind: 'imei' },
          { id: '5550100011', kind: 'mdn' },
        ],
        servicePlan: 'P',
        throttle: 'partial',
        percent: 81,
      },
    ]);
  });

  it('is sent once for a line in a billing month, and again in the next', async () => {
    await listen(A, SERVICE);
    await use([[LINES.a1, 90]]);
    await use([[LINES.a1, 90]]);
    assert.equal((await notices()).length, 1);
    world.pass(31 * DAY_MS);
    await use([[LINES.a1, 90]]);
    assert.equal((await notices()).length, 2);
  });

  it('is sent once for a line that reaches it in one feed of several days', async () => {
    await listen(A, SERVICE);
    const now = world.clock.now().getTime();
    const answer = await world.operator(
      'POST',
      '/usage',
      [DAY_MS, 2 * DAY_MS, 0].map((agoMs) => ({
        id: `${agoMs} before ${now}`,
        kind: 'imei',
        device: LINES.a1,
        at: new Date(now - agoMs).toISOString(),
        bytes: 90 * KB,
      })),
    );
    assert.equal(answer.statusCode, 200, answer.body);
    assert.deepEqual(
      (await notices()).map(({ percent }) => percent),
      [270],
    );
  });

  it('is not kept for an account without a listener', async () => {
    await listen(A, SERVICE);
    await use([[LINES.b1, 90]]);
    assert.deepEqual(await notices(), []);
    assert.deepEqual(await db.many(sql`select from price_plan_throttled`), []);
  });

  it('of a shared plan covers the pool, and goes to each of its accounts with a listener', async () => {
    await listen(A, SERVICE);
    await listen(B, SERVICE);
    await use([[LINES.sharedA, 60]]);
    assert.deepEqual(await notices(), []);
    await use([[LINES.sharedB, 50]]);
    const notice = { deviceIds: [], servicePlan: 'S', throttle: 'complete', percent: 110 };
    assert.deepEqual(await notices(), [
      { accountName: A, ...notice },
      { accountName: B, ...notice },
    ]);
    await use([[LINES.sharedB, 5]]);
    assert.equal((await notices()).length, 2);
  });

  it('of a pool is sent once if two accounts use it up together in concurrent batches', async () => {
    await listen(A, SERVICE);
    await listen(B, SERVICE);
    const other = await makeWorld({ databaseUrl: world.databaseUrl });
    other.clock.holdAt(world.clock.now());
    const record = { kind: 'imei', device: LINES.sharedB, at: world.clock.now().toISOString() };
    let batches: Promise<unknown> | undefined;
    await db.tx(async (tx) => {
      // Both batches have counted, and neither is committed when this is released.
      await tx.exec(sql`lock table price_plan_throttled in share mode`);
      batches = Promise.all([
        use([[LINES.sharedA, 60]]),
        other.operator('POST', '/usage', [{ id: 'of another node', ...record, bytes: 50 * KB }]),
      ]);
      await untilWaiting(db, { count: 2, unless: batches });
    });
    await batches;
    assert.deepEqual((await notices()).map(({ accountName, percent }) => [accountName, percent]).sort(), [
      [A, 110],
      [B, 110],
    ]);
  });

  it('is not sent for a closed month or for a plan that the line left', async () => {
    await listen(A, SERVICE);
    const used = world.clock.now();
    await world.import({
      devices: [{ accountName: A, imei: LINES.a2, servicePlan: 'S', planSince: used.toISOString() }],
    });
    await use([[LINES.a2, 90]], new Date(used.getTime() - HOUR_MS));
    world.clock.holdAt(new Date(Date.UTC(used.getUTCFullYear(), used.getUTCMonth() + 1, 2)));
    await use([[LINES.a1, 90]], new Date(world.clock.now().getTime() - 2 * DAY_MS));
    assert.deepEqual(await notices(), []);
  });

  it('is deleted long after its month', async () => {
    await listen(A, SERVICE);
    await use([[LINES.a1, 90]]);
    await world.engine.addRecurring();
    world.pass(100 * DAY_MS);
    await world.engine.settle();
    assert.deepEqual(await db.many(sql`select from price_plan_throttled`), []);
  });
});
