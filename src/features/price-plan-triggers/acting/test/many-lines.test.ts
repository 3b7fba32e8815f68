import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from '../../../../platform/db/sql.ts';
import { MB, makeActingWorld, SUSPEND_30 } from './scene.ts';

it('an action on more lines than a request can have ends when all its requests have', async () => {
  const nextScene = await makeActingWorld({ env: { LINEKEEPER_ACTION_DEVICES_MAX: '20000' }, customers: 1 });
  const scene = await nextScene();
  // As many others like the first; an import would take longer than all the rest.
  await scene.db.exec(sql`
    insert into device overriding system value
    select (jsonb_populate_record(d, jsonb_build_object('device_id', gen_random_uuid(), 'list_number', 1000000 + n,
      'imei', d.imei::bigint + n))).*
    from device d, generate_series(1000, 11000) n where d.imei = ${scene.imei(0)}`);
  const suspendDetails = { ...SUSPEND_30, threshold: 1, thresholdUnit: 'MB' };
  const id = await scene.create(
    scene.individual({ suspend: true, suspendDetails }, { conditionType: 'AccountLevel', threshold: 2 }),
  );
  await scene.use({ 0: 1.5 * MB });
  const [firing] = await scene.firingsOf(id);
  const { params: _, requestIds, ...action } = firing!.actions[0]!;
  assert.equal(requestIds.length, 2);
  assert.deepEqual(action, {
    accountName: scene.a,
    kind: 'suspend',
    state: 'done',
    deviceCount: 10_006,
    succeeded: 10_006,
    failed: 0,
  });
  assert.equal(await scene.count(sql`device_suspension`), 10_006);
});
