import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { byImei } from '../../../../test/support/location-fleet.ts';
import { makeTriggerScene } from './scene.ts';

const { world, pass, call, made, locate, locateChild, firings, newMonth } = await makeTriggerScene();
const LIST = `/subsc/v1/usage/accounts/${ACCOUNT}/triggers`;

beforeEach(newMonth);

// proves usage-triggers/no-excess
describe('allowExcess: false', () => {
  const refusedWith = async (answer: ReturnType<typeof locate>) => (await answer).json().errorMessage;
  const EXCEEDED = 'Subscribed usage exceeded';

  // proves 2.1/allowExcess
  it('closes the service at 100 percent for the rest of the month, also for the accounts billed to it', async () => {
    await made({ thresholdValue: '50', allowExcess: false });
    assert.equal((await locate(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)).statusCode, 200);
    assert.equal(await refusedWith(locate(11)), EXCEEDED);
    assert.equal(await refusedWith(locateChild()), EXCEEDED);
    const cached = await call('POST', '/loc/v1/locations', {
      accountName: ACCOUNT,
      cacheMode: '0',
      deviceList: byImei(1),
    });
    assert.equal(cached.statusCode, 200);
    await pass(31 * 86_400_000);
    assert.equal((await locate(11)).statusCode, 200);
  });

  it('applies from the first trigger that sets it until the last one is gone', async () => {
    await locate(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    assert.equal((await locate(11)).statusCode, 200);
    const [one, two] = [await made({ allowExcess: false }), await made({ allowExcess: false })];
    assert.equal(await refusedWith(locate(11)), EXCEEDED);
    await call('DELETE', `${LIST}/${one.triggerId}`);
    assert.equal(await refusedWith(locate(11)), EXCEEDED);
    await call('POST', `/subsc/v1/usage/triggers/${two.triggerId}`, {
      accountName: ACCOUNT,
      allowExcess: true,
    });
    assert.equal((await locate(11)).statusCode, 200);
  });

  it('closes the service also while the operator has paused actions, and notifies', async () => {
    const { triggerId } = await made({ thresholdValue: '100', allowExcess: false });
    await world.operator('POST', '/actions/pause');
    await locate(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    assert.equal((await firings(triggerId)).length, 1);
    assert.equal(await refusedWith(locate(11)), EXCEEDED);
    await world.operator('POST', '/actions/resume');
  });

  it('does not close the service of an account that has since subscribed to more', async () => {
    await made({ allowExcess: false });
    await locate(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    const subscriptions = (allowance: number) => [
      { accountName: ACCOUNT, serviceName: 'Location', skuName: 'SVC-LOC-COARSE-CellID-Aggr', allowance },
    ];
    await world.import({ subscriptions: subscriptions(11) });
    assert.equal((await locate(11)).statusCode, 200);
    await world.import({ subscriptions: subscriptions(10) });
  });

  // proves usage-triggers/closing-fota
  it('can be queried by systems that provide the service themselves', async () => {
    await made({ allowExcess: false });
    await locate(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    assert.deepEqual((await world.operator('GET', `/accounts/${ACCOUNT}/services`)).json(), [
      {
        serviceName: 'Location',
        skuName: 'SVC-LOC-COARSE-CellID-Aggr',
        since: '2026-01-05',
        allowed: 10,
        used: 10,
        open: false,
      },
      { serviceName: 'fota', skuName: 'fota', since: '2026-01-05', allowed: 20, used: 0, open: true },
    ]);
  });
});
