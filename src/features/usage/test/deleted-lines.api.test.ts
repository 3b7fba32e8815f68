import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { ACCOUNT, BARE_IMEI, MANAGED, makeFeedWorld, record } from './feed.ts';

const world = await makeFeedWorld();

describe('deleting a device', () => {
  // proves lines/late-records
  it('keeps its usage, takes late reports of usage before the deletion, and none after it', async () => {
    const device = '990000000000094';
    await world.import({ devices: [{ accountName: MANAGED, imei: device }] });
    await world.feed([record({ device })]);
    assert.equal((await world.operator('DELETE', `/devices/imei/${device}`)).statusCode, 200);
    assert.deepEqual(await world.differences(MANAGED), { checked: 3, differences: [] });
    const at = new Date(world.ctx.now().getTime() + 1).toISOString();
    const { accepted, rejected } = await world.feed([record({ device }), record({ device, at })]);
    assert.equal(accepted, 1);
    assert.deepEqual(
      rejected.map(({ reason }: { reason: string }) => reason),
      ['device is not known'],
    );
    assert.deepEqual((await world.differences(MANAGED)).differences, []);
  });
});

describe('deleting an account', () => {
  // proves usage/deleted-devices
  it('deletes its usage and no other', async () => {
    await world.feed([record(), record({ device: BARE_IMEI })]);
    assert.equal((await world.operator('DELETE', `/accounts/${MANAGED}`)).statusCode, 200);
    const rows = await world.ctx.db.many(sql`
      select account_name from usage_record union select account_name from usage_account_day
      union select account_name from usage_device_month union select account_name from usage_bill_day`);
    assert.deepEqual(rows, [{ account_name: ACCOUNT }]);
  });
});
