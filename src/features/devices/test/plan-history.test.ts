import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { findDeviceKey } from '../sql.ts';
import { deleteOldOwners } from '../sql-history.ts';
import { setPlans } from '../sql-plan.ts';
import { listPlanChanges } from './plan-changes.ts';

const TENANT = { ecpdId: '9000001', accountName: ACCOUNT } as never;
const IMEI = '990000000000011';
const world = await makeWorld();
const { ctx } = world;
const plans = [...SMALL_FLEET.plans, { code: 'P-50MB', name: '50 MB', kind: 'payAsYouGo' }];
await world.import({ ...SMALL_FLEET, plans });
const { deviceId } = (await findDeviceKey(ctx.db, { kind: 'imei', value: IMEI }))!;
const history = async () =>
  (await listPlanChanges(ctx.db, TENANT, deviceId)).map(({ planCode, cause, changedBy, since }) => [
    planCode,
    cause,
    changedBy,
    since.toISOString(),
  ]);
const FIRST = ['P-5MB', 'import', 'import', '2026-01-05T00:00:00.000Z'];
const SECOND = ['P-50MB', 'import', 'import', '2026-01-05T00:01:00.000Z'];

describe('the plans of a device', () => {
  it('begin with the one it was imported with', async () => assert.deepEqual(await history(), [FIRST]));

  it('do not grow when the same document is imported again, or something else changes', async () => {
    await world.import({ ...SMALL_FLEET, plans });
    world.pass(60_000);
    await world.import({ devices: [{ accountName: ACCOUNT, imei: IMEI, servicePlan: 'P-5MB', iot: false }] });
    assert.deepEqual(await history(), [FIRST]);
  });

  it('grow when an import puts the device on another one', async () => {
    await world.import({ devices: [{ accountName: ACCOUNT, imei: IMEI, servicePlan: 'P-50MB' }] });
    assert.deepEqual(await history(), [SECOND, FIRST]);
  });

  it('grow by changes, including backdated ones, and the last change sets the present plan', async () => {
    const since = new Date('2026-01-01T00:00:00Z');
    await setPlans(ctx, TENANT, [{ deviceId, planCode: 'P-5MB', since }], {
      cause: 'change',
      changedBy: 'ws-user',
    });
    assert.deepEqual(await history(), [['P-5MB', 'change', 'ws-user', since.toISOString()], SECOND, FIRST]);
    const changes = await listPlanChanges(ctx.db, TENANT, deviceId);
    assert.deepEqual(
      changes.map(({ overwritten }) => overwritten),
      [false, true, true],
    );
    const now = await ctx.db.one(
      sql`select service_plan as plan, plan_since as since from device where device_id = ${deviceId}`,
    );
    assert.deepEqual(now, { plan: 'P-5MB', since });
  });

  it("do not change through another account that gives the device's id", async () => {
    const other = { ecpdId: '9000009', accountName: '0000999999-00009' } as never;
    const before = await history();
    await setPlans(ctx, other, [{ deviceId, planCode: 'P-50MB' }], { cause: 'change', changedBy: 'x' });
    assert.deepEqual(await history(), before);
  });

  it('outlive the device for as long as usage of its time may arrive', async () => {
    const rows = () => ctx.db.many(sql`select from device_plan where device_id = ${deviceId}`);
    await world.operator('DELETE', `/devices/imei/${IMEI}`);
    assert.equal((await rows()).length, 3);
    await deleteOldOwners(ctx.db, new Date(ctx.now().getTime() + 1), 10);
    assert.equal((await rows()).length, 0);
    assert.deepEqual(await ctx.db.many(sql`select from earlier_owner`), []);
  });
});

describe('the plans of the devices of an account', () => {
  it('are deleted with the account, and those of others stay', async () => {
    const count = async (ecpdId: string) =>
      (await ctx.db.many(sql`select from device_plan where ecpd_id = ${ecpdId}`)).length;
    const before = await count('9000009');
    await world.import({ devices: [{ accountName: ACCOUNT, imei: IMEI, servicePlan: 'P-5MB' }] });
    assert.deepEqual([await count('9000001'), before], [1, 1]);
    await world.operator('DELETE', `/accounts/${ACCOUNT}`);
    assert.deepEqual([await count('9000001'), await count('9000009')], [0, before]);
  });
});
