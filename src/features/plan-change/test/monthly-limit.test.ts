import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { callbacksOf } from '../../carrier-requests/test/scene.ts';
import { byImei, imei, makePlanScene } from './scene.ts';

// Midnight there is 6:00 in UTC.
const account = { timeZone: 'America/Chicago', billCycleDay: 10 };
const { world, request, change, deviceOf, workTogether } = await makePlanScene(10, { account });
const LIMIT = 'DeviceService.REQUEST_FAILED.PlanChangeLimit';

/** Changes to the other of two plans, and returns the result for the device. */
const flip = async (n: number) => {
  const { plan } = await deviceOf(n);
  const [result] = await change({
    servicePlan: plan === 'P-5MB' ? 'P-50MB' : 'P-5MB',
    devices: byImei(n),
  });
  return result?.faultResponse?.faultcode ?? result?.status;
};
const at = (time: string) => world.clock.holdAt(new Date(time));
const flips = async (n: number, count: number) => {
  const said: (string | undefined)[] = [];
  for (let i = 0; i < count; i++) said.push(await flip(n));
  return said;
};
const four = ['Success', 'Success', 'Success', 'Success'];

// proves plans/four-a-month
describe('the plan of a device', () => {
  // proves 4.5/four-a-month 8/plan-changes
  it('can be changed four times a month; the fifth fails, and changes nothing', async () => {
    at('2026-01-20T12:00:00Z');
    assert.deepEqual(await flips(0, 5), [...four, LIMIT]);
    assert.equal((await deviceOf(0)).plan, 'P-5MB');
    assert.equal(await flip(1), 'Success');
  });

  // proves plans/four-a-month
  it("has its changes counted by calendar month in the account's time zone, not by bill cycle", async () => {
    at('2026-02-01T05:59:59Z');
    assert.equal(await flip(0), LIMIT);
    at('2026-02-01T06:00:00Z');
    assert.deepEqual(await flips(0, 5), [...four, LIMIT]);
    at('2026-02-10T12:00:00Z');
    assert.equal(await flip(0), LIMIT);
    at('2026-03-01T06:00:00Z');
    assert.equal(await flip(0), 'Success');
  });

  it('can be imported by an operator, or set to its present value, without counting as a change', async () => {
    for (const servicePlan of ['P-50MB', 'P-SHARE', 'P-50MB', 'P-5MB'])
      await world.import({ devices: [{ accountName: ACCOUNT, imei: imei(2), servicePlan }] });
    for (let n = 0; n < 4; n++) await change({ servicePlan: 'P-5MB', devices: byImei(2) });
    assert.deepEqual(await flips(2, 5), [...four, LIMIT]);
  });

  it('does not use up the limit by failed changes', async () => {
    await world.import({ devices: [{ accountName: ACCOUNT, imei: imei(3), state: 'suspend' }] });
    await flips(3, 4);
    await world.import({ devices: [{ accountName: ACCOUNT, imei: imei(3), state: 'active' }] });
    assert.deepEqual(await flips(3, 5), [...four, LIMIT]);
  });

  it('is changed at most four times by concurrent requests', async () => {
    const plans = Array.from({ length: 8 }, (_, n) => ({ code: `P-${n}` }));
    await world.import({ plans });
    const ids = await Promise.all(
      plans.map(({ code }) => request({ servicePlan: code, devices: byImei(4) })),
    );
    await workTogether();
    const results = (await Promise.all(ids.map((id) => callbacksOf(world, id)))).flat();
    assert.deepEqual(results.map(({ status, faultResponse }) => faultResponse?.faultcode ?? status).sort(), [
      ...[LIMIT, LIMIT, LIMIT, LIMIT],
      ...four,
    ]);
    const { n } = await world.ctx.db.one<{ n: number }>(sql`
      select count(*)::int as n from device_plan
      where device_id = ${(await deviceOf(4)).deviceId} and cause = 'change'`);
    assert.equal(n, 4);
  });
});
