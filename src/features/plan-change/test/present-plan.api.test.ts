import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { byImei, imei, makePlanScene } from './scene.ts';

const special = {
  1: { servicePlan: 'P-SHARE' },
  2: { servicePlan: 'P-SHARE' },
  3: { servicePlan: 'P-SHARE', state: 'suspend' },
};
const { change, deviceOf } = await makePlanScene(4, { special });

describe('PUT /m2m/v1/devices/actions/plan with the present plan', () => {
  // proves 4.5/currentServicePlan plans/current-plan
  it('200: changes the devices that are on the plan, and fails the others', async () => {
    const results = await change({
      servicePlan: 'P-50MB',
      currentServicePlan: 'P-5MB',
      devices: byImei(0, 1),
    });
    assert.deepEqual(
      results.map(({ faultResponse }) => faultResponse?.faultcode),
      [undefined, 'DeviceService.REQUEST_FAILED._currentServicePlan_.NoMatch'],
    );
  });

  // proves plans/plan-codes
  it('200: changes all active devices of the account on the plan if there is no list, also by the carrier’s code for it', async () => {
    const results = await change({ servicePlan: 'P-50MB', currentServicePlan: 'C-SHARE' });
    const changed = results.map(({ deviceIds }) => deviceIds.find(({ kind }) => kind === 'imei')?.id).sort();
    assert.deepEqual(changed, [imei(1), imei(2)]);
    assert.equal((await deviceOf(3)).plan, 'P-SHARE');
  });
});
