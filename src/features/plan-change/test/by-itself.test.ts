import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nobodyEvaluates } from '../../../../test/support/nobody-evaluates.ts';
import { composeCarrier } from '../../../app/compose/compose-carrier.ts';
import { inTx } from '../../../platform/context/context.ts';
import { sql } from '../../../platform/db/sql.ts';
import { callbacksOf, TENANT } from '../../carrier-requests/test/scene.ts';
import { changePlansByItself, type OwnPlanChange } from '../request-plan-change.ts';
import { makePlanScene } from './scene.ts';

const special = { 1: { state: 'suspend' }, 2: { servicePlan: 'P-SHARE' } };
const { world, deviceOf } = await makePlanScene(8, {
  special,
  account: { timeZone: 'America/Chicago', billCycleDay: 10 },
});
world.clock.holdAt(new Date('2026-01-20T12:00:00Z'));
const { workJob } = composeCarrier(nobodyEvaluates.evaluateMove);

const change = async (numbers: readonly number[], more: Partial<OwnPlanChange> = {}) => {
  const deviceIds = await Promise.all(numbers.map(async (n) => (await deviceOf(n)).deviceId));
  const requestId = await inTx(world.ctx, (tx) =>
    changePlansByItself(
      tx,
      TENANT,
      { deviceIds, servicePlan: 'P-50MB', effectiveAt: 'CurrentDate', requestedBy: 'trigger 7', ...more },
      workJob,
    ),
  );
  await world.engine.settle();
  return requestId === undefined ? undefined : callbacksOf(world, requestId);
};

describe('a plan change that a feature makes on its own', () => {
  it('is reported like any other, names its requester, and says nothing about suspended devices', async () => {
    const results = await change([0, 1]);
    assert.deepEqual(
      results?.map(({ status, deviceResponse }) => [status, deviceResponse]),
      [['Success', { changeServicePlanResponse: { effectiveDate: '2026-01-20T12:00:00.000Z' } }]],
    );
    assert.deepEqual([(await deviceOf(0)).plan, (await deviceOf(1)).plan], ['P-50MB', 'P-5MB']);
    const kept = await world.ctx.db.many(
      sql`select changed_by as "by" from device_plan where cause = 'change'`,
    );
    assert.deepEqual(kept, [{ by: 'trigger 7' }]);
  });

  it("takes effect at the start of the account's bill cycle if it is backdated", async () => {
    const results = await change([3], { effectiveAt: 'BackDate' });
    const start = new Date('2026-01-10T06:00:00Z');
    assert.deepEqual(results?.[0]?.deviceResponse, {
      changeServicePlanResponse: { effectiveDate: start.toISOString() },
    });
    assert.deepEqual((await deviceOf(3)).since, start);
  });

  // proves plans/plan-codes
  it('changes only devices that are still on the given plan', async () => {
    const results = await change([2, 4], { fromPlan: 'C-SHARE' });
    assert.deepEqual(results?.map(({ status }) => status).sort(), ['Failed', 'Success']);
    assert.deepEqual([(await deviceOf(2)).plan, (await deviceOf(4)).plan], ['P-50MB', 'P-5MB']);
  });

  it('counts toward the limit of four a month', async () => {
    for (const servicePlan of ['P-50MB', 'P-5MB', 'C-SHARE', 'P-ROAM']) await change([5], { servicePlan });
    const results = await change([5], { servicePlan: 'P-5MB' });
    assert.equal(results?.[0]?.faultResponse?.faultcode, 'DeviceService.REQUEST_FAILED.PlanChangeLimit');
  });

  it('fails for a plan that does not exist, and is not created if the account has none of the devices', async () => {
    const results = await change([6], { servicePlan: 'NONE' });
    assert.equal(
      results?.[0]?.faultResponse?.faultcode,
      'DeviceService.REQUEST_FAILED._servicePlan_.NotFound',
    );
    assert.equal(await change([91_000]), undefined);
  });
});
