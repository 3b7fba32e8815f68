import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { ACCOUNT, asUser, SMALL_FLEET } from '../../test/support/fleet.ts';
import { openListener } from '../../test/support/listener.ts';
import { makeWorld } from '../../test/support/world.ts';
import { reportCompleted } from '../features/callback-payloads/index.ts';
import { postCallbacks } from '../features/callbacks/index.ts';
import { postNotifications } from '../features/notifications/index.ts';
import { sql } from '../platform/db/sql.ts';
import { enqueueJobs } from '../platform/jobs/enqueue.ts';
import { defineJob } from '../platform/jobs/job.ts';

const ECPD = '9000001';
let runs = 0;
const job = defineJob({
  kind: 'test.due',
  schema: Type.Object({}),
  attemptsMax: 1,
  commits: 'steps',
  run: async () => void runs++ as undefined,
});

describe('a process whose clock differs from the clock of the database', () => {
  it('begins nothing that is due, and all of it when the clock has been put right', async () => {
    let isRight = false;
    let looks = 0;
    const clockIsRight = () => {
      looks++;
      return isRight;
    };
    const world = await makeWorld({ jobs: [job], clockIsRight });
    await world.import(SMALL_FLEET);
    const listener = await openListener();
    const { call } = await asUser(world);
    await call('POST', `/loc/v1/callbacks/${ACCOUNT}`, { name: 'Location', url: listener.url });
    await enqueueJobs(world.ctx, job, ECPD, [{ payload: {} }]);
    const payload = reportCompleted({ accountName: ACCOUNT, txid: 'report', totalCount: 1 });
    await postCallbacks(world.ctx, ECPD, [
      { accountName: ACCOUNT, serviceName: 'Location', requestId: 'report', payload },
    ]);
    await postNotifications(world.ctx, ECPD, [
      {
        ...{ accountName: ACCOUNT, channel: 'mail', to: ['a@x.example'] },
        ...{ subject: 'Usage', text: 'Usage is at 90 %.', dedupeKey: 'once' },
      },
    ]);
    await world.ctx.db.exec(sql`
      insert into rule_change (ecpd_id, account_name, rule_id, device_id)
      values (${ECPD}, ${ACCOUNT}, gen_random_uuid(), gen_random_uuid())`);
    const readDone = async () => ({
      runs,
      heard: listener.heard.length,
      sent: world.notifier.counts.mail.captured,
      changesLeft: await world.watcher.countUnfinished(world.ctx.now()),
    });
    await world.engine.start();
    world.delivery.start();
    world.notifier.start();
    world.watcher.start();
    // Each of them looks twice a second: all have, and again.
    for (const end = looks + 12; looks < end; ) await sleep(20);
    assert.deepEqual(await readDone(), { runs: 0, heard: 0, sent: 0, changesLeft: 1 });
    isRight = true;
    const all = { runs: 1, heard: 1, sent: 1, changesLeft: 0 };
    for (let n = 0; n < 500 && JSON.stringify(await readDone()) !== JSON.stringify(all); n++) await sleep(20);
    assert.deepEqual(await readDone(), all);
    await world.watcher.stop();
  });
});
