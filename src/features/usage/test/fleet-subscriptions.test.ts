import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeWorld } from '../../../../test/support/world.ts';

const world = await makeWorld();
const accountName = '0000123456-00001';
await world.import({ profiles: [{ ecpdId: '9000001' }], accounts: [{ accountName, ecpdId: '9000001' }] });

const refusals = async (...subscriptions: object[]) =>
  (await world.operator('POST', '/import', { subscriptions })).json().errors;
const readAll = async () => (await world.operator('GET', '/export')).json().subscriptions;
const location = { accountName, serviceName: 'Location', skuName: 'SVC-LOC-COARSE-CellID-5K' };

describe('subscriptions of the fleet document', () => {
  it('begin today by default, and later keep absent fields', async () => {
    await world.import({
      subscriptions: [
        { ...location, serviceName: 'location' },
        { accountName, serviceName: 'FOTA', skuName: 'F-1', since: '2025-12-31', allowance: 1_000 },
      ],
    });
    world.pass(86_400_000);
    await world.import({ subscriptions: [location, { accountName, serviceName: 'fota', skuName: 'F-2' }] });
    assert.deepEqual(await readAll(), [
      { ...location, since: '2026-01-05' },
      { accountName, serviceName: 'fota', skuName: 'F-2', since: '2025-12-31', allowance: 1_000 },
    ]);
  });

  // proves data/skus
  it('have the SKUs of the interface in its letter case, in whatever case they are imported', async () => {
    await world.import({ subscriptions: [{ ...location, skuName: 'svc-loc-coarse-cellid-5k' }] });
    assert.deepEqual((await readAll())[0].skuName, location.skuName);
  });

  it('import again as they were exported', async () => {
    const subscriptions = await readAll();
    await world.import({ subscriptions });
    assert.deepEqual(await readAll(), subscriptions);
  });

  it('are refused for another service, an invalid day, or twice', async () => {
    assert.equal(
      (await refusals({ ...location, serviceName: 'sms' }))[0].pointer,
      '/subscriptions/0/serviceName',
    );
    assert.deepEqual(await refusals({ ...location, since: '2026-02-30' }), [
      { pointer: '/subscriptions/0/since', detail: 'is not a date' },
    ]);
    assert.equal((await refusals(location, location))[0].pointer, '/subscriptions/1/serviceName');
  });
});
