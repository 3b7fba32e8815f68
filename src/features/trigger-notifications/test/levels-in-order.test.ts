import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openListener } from '../../../../test/support/listener.ts';
import { sql } from '../../../platform/db/sql.ts';
import { postCallbacks } from '../../callbacks/index.ts';
import { A, B, ECPD, LINES, makeNotifyingScene, pool } from './scene.ts';

// proves price-plan-triggers/several-levels callbacks/order
it('several levels passed at once reach each listener lowest first, even if it answers slowly', async () => {
  const { world, db, trigger, use } = await makeNotifyingScene();
  const listeners = { [A]: await openListener('never'), [B]: await openListener('never') };
  await world.import({
    listeners: Object.entries(listeners).map(([accountName, { url }]) => ({
      accountName,
      serviceName: 'AlertService',
      url,
    })),
  });
  await trigger(pool(50, 90, 100));
  await use([[LINES.sharedA, 120]]);
  // It follows them in the same lanes: its arrival proves that the second level was skipped.
  await postCallbacks(
    world.ctx,
    ECPD,
    [A, B].map((accountName) => ({
      accountName,
      serviceName: 'AlertService',
      requestId: 'other',
      payload: { requestId: 'other' },
    })),
  );
  const levels = new Map(
    (await db.many<{ id: string; level: number }>(sql`select firing_id as id, level from firing`)).map(
      ({ id, level }) => [id, Number(level)],
    ),
  );
  world.delivery.start();
  for (const listener of Object.values(listeners)) {
    const levelsHeard = () =>
      listener.heard.map(({ body }) => levels.get(String(body['requestId']))).filter((level) => level);
    await listener.next(2);
    assert.deepEqual([listener.heard.length, levelsHeard()], [2, [50]]);
    listener.release(200);
    await listener.next(4);
    assert.deepEqual(levelsHeard(), [50, 90, 100]);
  }
});
