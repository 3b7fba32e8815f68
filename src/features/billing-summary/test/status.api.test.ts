import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asUser, STRANGER_USER } from '../../../../test/support/fleet.ts';
import { KEPT_MS } from '../summary-request.ts';
import { ACCOUNT, CYCLE, IMEIS, makeBillingScene, STRANGER } from './scene.ts';

const world = await makeBillingScene();
/** Opens a new session for each call, because tests let days pass. */
const call = async (method: string, path: string, body?: object) =>
  (await asUser(world)).call(method, path, body);
const path = (requestId: string, account = ACCOUNT) =>
  `/m2m/v1/accounts/${account}/requests/${requestId}/status`;
const status = async (requestId: string) => (await call('GET', path(requestId))).json();
const billed = async (more: object): Promise<string> => {
  const body = { accountName: ACCOUNT, billingCycle: CYCLE, lineLevel: true, ...more };
  const answer = await call('POST', '/m2m/v2/devices/usage/actions/billed', body);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().requestId;
};
const NOT_FOUND = 'DeviceService.REQUEST_FAILED.RequestNotFound';

describe('GET /m2m/v1/accounts/{accountName}/requests/{requestId}/status', () => {
  it('200: answers Pending for a billing summary, then Success, or Failure if a device was not found', async () => {
    const known = { kind: 'imei', id: IMEIS[0] };
    const [good, bad] = [
      await billed({ lineLevel: false }),
      await billed({ deviceIds: [known, { kind: 'imei', id: '990000000099999' }] }),
    ];
    const operation = 'billing-summary';
    assert.deepEqual(await status(good), { requestId: good, operation, status: 'Pending' });
    await world.engine.settle();
    assert.deepEqual(await status(good), { requestId: good, operation, status: 'Success' });
    assert.equal((await status(bad)).status, 'Failure');
  });

  it('200: also answers for a request for the usage of devices', async () => {
    const day = world.ctx.now().toISOString();
    const body = { accountName: ACCOUNT, startTime: day, endTime: day };
    const { requestId } = (await call('POST', '/m2m/v1/devices/usage/actions/list/aggregate', body)).json();
    await world.engine.settle();
    assert.deepEqual(await status(requestId), { requestId, operation: 'usage-summary', status: 'Success' });
  });

  it("400: refuses another account's summary, and one that ended more than 30 days ago", async () => {
    const requestId = await billed({ lineLevel: false });
    await world.engine.settle();
    const stranger = await asUser(world, STRANGER_USER);
    assert.equal((await stranger.call('GET', path(requestId, STRANGER))).json().errorCode, NOT_FOUND);
    world.pass(KEPT_MS);
    assert.equal((await status(requestId)).errorCode, NOT_FOUND);
  });
});
