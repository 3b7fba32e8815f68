import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, MANAGED } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { scheduleOverdue } from '../jobs.ts';
import { DAY_MS, imei, makeLifecycleScene } from './scene.ts';

const { world, db, stateOf, callbacksOf } = await makeLifecycleScene();
const { ctx } = world;
const run = async () => {
  await scheduleOverdue.run(ctx, {}, { signal: new AbortController().signal } as never);
};
const jobs = async (state: string) =>
  (
    await db.many<{ account: string }>(sql`
      select payload->>'accountName' as account from job
      where kind = 'device-lifecycle.follow-suspensions' and state = ${state} and due_at <= ${ctx.now()} order by 1`)
  ).map(({ account }) => account);

/** The state after an upgrade, or after its job was given up: suspended, without a job. */
async function suspendWithoutJob(accountName: string, n: number): Promise<void> {
  await world.import({ devices: [{ accountName, imei: imei(n), state: 'suspend' }] });
  await db.exec(sql`delete from job where kind = 'device-lifecycle.follow-suspensions'`);
}

describe('suspensions without a job', () => {
  it('are announced and end within the hour, in every account, by one job each', async () => {
    await suspendWithoutJob(ACCOUNT, 1);
    await suspendWithoutJob(ACCOUNT, 2);
    await suspendWithoutJob(MANAGED, 30);
    await run();
    assert.deepEqual(await jobs('waiting'), [], 'nothing is due');
    world.pass(84 * DAY_MS);
    await run();
    await run();
    assert.deepEqual(await jobs('waiting'), [ACCOUNT, MANAGED]);
    await world.engine.settle();
    const notices = (await callbacksOf()).filter(({ service }) => service === 'ResumeTrackingNotification');
    assert.equal(notices.length, 3);
    await run();
    assert.deepEqual(await jobs('waiting'), [], 'what is announced is not announced again');
    world.pass(7 * DAY_MS);
    await run();
    await world.engine.settle();
    assert.deepEqual([await stateOf(1), await stateOf(2), await stateOf(30)], ['active', 'active', 'active']);
    await run();
    assert.deepEqual(await jobs('waiting'), []);
  });

  it('are found after their job was given up', async () => {
    await world.import({ devices: [{ accountName: ACCOUNT, imei: imei(3), state: 'suspend' }] });
    world.pass(91 * DAY_MS);
    await db.exec(sql`
      update job set state = 'failed', finished_at = ${ctx.now()} where kind = 'device-lifecycle.follow-suspensions' and state = 'waiting'`);
    await run();
    await world.engine.settle();
    assert.equal(await stateOf(3), 'active');
  });
});
