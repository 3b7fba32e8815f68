import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { NOON, openMoveWorld } from './scene.ts';

const DAY_MS = 86_400_000;
const nextScene = await openMoveWorld();

// proves lines/limits-of-a-line
describe('a line that moves to another account of its profile', () => {
  it('can be changed to other plans as often as it still could be in this month', async () => {
    const { done, moved, world, ACCOUNT, MANAGED, NAMED } = await nextScene();
    const change = async (accountName: string, servicePlan: string) => {
      world.pass(1_000);
      const [{ status, faultResponse } = {}] = await done('plan', {
        accountName,
        servicePlan,
        devices: NAMED,
      });
      return faultResponse?.faultcode ?? status;
    };
    for (const servicePlan of ['P-NEW', 'P-5MB', 'P-NEW'])
      assert.equal(await change(ACCOUNT, servicePlan), 'Success');
    await moved(MANAGED);
    assert.equal(await change(MANAGED, 'P-5MB'), 'Success');
    assert.equal(await change(MANAGED, 'P-NEW'), 'DeviceService.REQUEST_FAILED.PlanChangeLimit');
    world.clock.holdAt(new Date('2026-04-02T12:00:00Z'));
    assert.equal(await change(MANAGED, 'P-NEW'), 'Success');
  });

  it('can be suspended for as many days as it still could be', async () => {
    const { done, moved, world, db, ACCOUNT, MANAGED, NAMED } = await nextScene();
    const at = (days: number) => world.clock.holdAt(new Date(NOON.getTime() + days * DAY_MS));
    await done('suspend', { accountName: ACCOUNT, devices: NAMED });
    at(60);
    await done('restore', { accountName: ACCOUNT, devices: NAMED });
    await moved(MANAGED);
    const [suspended] = await done('suspend', { accountName: MANAGED, devices: NAMED });
    assert.equal(suspended?.status, 'Success');
    const { days } = await db.one<{ days: number }>(sql`
      select extract(epoch from resumes_at - suspended_at)::float8 / 86400 as days from device_suspension
      where account_name = ${MANAGED} and resumed_at is null`);
    assert.equal(days, 30);
    at(90);
    await world.engine.settle();
    const [again] = await done('suspend', { accountName: MANAGED, devices: NAMED });
    assert.equal(again?.faultResponse?.faultcode, 'DeviceService.REQUEST_FAILED.SuspendDaysExceeded');
  });
});
