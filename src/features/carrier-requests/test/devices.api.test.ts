import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET, STRANGER, USER } from '../../../../test/support/fleet.ts';
import { openListener } from '../../../../test/support/listener.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { signIn } from '../../console/test/scene.ts';

const world = await makeWorld();
const listener = await openListener();
const imeiOf = (n: number) => `99000000000030${n}`;
await world.import({
  ...SMALL_FLEET,
  listeners: [{ accountName: ACCOUNT, serviceName: 'CarrierService', url: listener.url }],
  devices: [
    ...SMALL_FLEET.devices,
    ...Array.from({ length: 4 }, (_, n) => ({
      accountName: ACCOUNT,
      imei: imeiOf(n),
      state: n === 3 ? 'suspend' : 'active',
      servicePlan: 'P-5MB',
      record: { name: `Van ${n}` },
    })),
  ],
});
const { call } = await asUser(world);
const browser = await signIn(world, USER);
const operator = await signIn(world);
const at = (requestId: string, query = '', account = ACCOUNT) =>
  `/m2m/v1/accounts/${account}/requests/${requestId}/devices${query}`;
const suspend = async (...imeis: readonly string[]): Promise<string> => {
  const devices = imeis.map((id) => ({ deviceIds: [{ id, kind: 'imei' }] }));
  const answer = await call('POST', '/m2m/v1/devices/actions/suspend', { accountName: ACCOUNT, devices });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().requestId;
};

describe('GET /m2m/v1/accounts/{accountName}/requests/{requestId}/devices', () => {
  it('200: follows each device to its callback, with the reason of each that was refused', async () => {
    const requestId = await suspend(imeiOf(0), imeiOf(3));
    const read = async (query = '') => {
      const answer = await call('GET', at(requestId, query));
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json();
    };
    const before = await read();
    assert.deepEqual([before.status, before.requested, before.succeeded], ['Pending', 2, 0]);
    assert.deepEqual(
      before.lines.map((line: { state: string; callback?: object }) => [line.state, line.callback]),
      [
        ['waiting', undefined],
        ['waiting', undefined],
      ],
    );
    await world.engine.settle();
    const settled = await read();
    assert.deepEqual([settled.status, settled.succeeded, settled.failed], ['Failure', 1, 1]);
    assert.deepEqual((await browser.call('GET', at(requestId))).json(), settled);
    const [done, failed] = settled.lines;
    assert.deepEqual(
      [done.name, done.state, done.reason, done.callback.state],
      ['Van 0', 'done', null, 'pending'],
    );
    assert.deepEqual([failed.state, failed.reason], ['failed', 'Device is already suspended']);
    world.delivery.start();
    await listener.next();
    await listener.next();
    const { messageId } = done.callback;
    const message = (await call('GET', `/m2m/v1/callbacks/${ACCOUNT}/deliveries/${messageId}`)).json();
    assert.equal(message.requestId, requestId);
    assert.deepEqual(
      (await read('?state=failed')).lines.map(({ name }: { name: string }) => name),
      ['Van 3'],
    );
    const paged = await read('?limit=1');
    assert.deepEqual((await read(`?after=${paged.next}`)).lines.length, 1);
  });

  it('400: does not know a request that never was, or is of another account', async () => {
    const requestId = await suspend(imeiOf(1));
    for (const path of [at(requestId, '', STRANGER), at(crypto.randomUUID())]) {
      const answer = await operator.call('GET', path);
      assert.deepEqual(
        [answer.statusCode, answer.json().errorCode],
        [400, 'DeviceService.REQUEST_FAILED.RequestNotFound'],
      );
    }
  });
});
