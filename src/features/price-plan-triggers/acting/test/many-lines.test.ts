import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from '../../../../platform/db/sql.ts';
import { A, imei, individual, MB, makeActingScene, SUSPEND_30 } from './scene.ts';

it('an action on more lines than a request can have ends when all its requests have', async () => {
  const scene = await makeActingScene({ env: { LINEKEEPER_ACTION_DEVICES_MAX: '20000' } });
  const devices = Array.from({ length: 10_001 }, (_, n) => ({
    accountName: A,
    imei: imei(20_000 + n),
    servicePlan: 'P',
    planSince: '2025-06-01T00:00:00Z',
  }));
  await scene.world.import({ devices });
  const suspendDetails = { ...SUSPEND_30, threshold: 1, thresholdUnit: 'MB' };
  const id = await scene.create(
    individual({ suspend: true, suspendDetails }, { conditionType: 'AccountLevel', threshold: 2 }),
  );
  await scene.use({ 0: 1.5 * MB });
  const [firing] = await scene.firingsOf(id);
  const { params: _, requestIds, ...action } = firing!.actions[0]!;
  assert.equal(requestIds.length, 2);
  assert.deepEqual(action, {
    accountName: A,
    kind: 'suspend',
    state: 'done',
    deviceCount: 10_006,
    succeeded: 10_006,
    failed: 0,
  });
  const { n } = await scene.db.one<{ n: number }>(sql`select count(*)::int as n from device_suspension`);
  assert.equal(n, 10_006);
});
