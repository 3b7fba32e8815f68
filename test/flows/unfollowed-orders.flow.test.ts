import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signIn } from '../../src/features/console/test/scene.ts';
import {
  byImei,
  imei,
  imsi,
  lineOf,
  makeElement,
  makeNetworkScene,
} from '../../src/features/network/test/scene.ts';
import { ACCOUNT, asUser, USER } from '../support/fleet.ts';

const [register, access] = [makeElement('hlr'), makeElement('gw')];
const { world, ask, settle, age, progress } = await makeNetworkScene({
  elements: [{ of: register }, { of: access, afterwards: true }],
  devices: [0, 1, 2].map((n) => lineOf(n)),
});
await settle();

const reason = 'the access server refused with 401: it does not support an attribute';
const linesOf = async (requestId: string) => {
  const path = `/m2m/v1/accounts/${ACCOUNT}/requests/${requestId}/devices`;
  return (await (await asUser(world)).call('GET', path)).json().lines;
};
const suspend = async (...lines: number[]) => {
  const requestId = await ask('actions/suspend', { accountName: ACCOUNT, devices: byImei(...lines) });
  await settle();
  return requestId;
};

describe('an access server that does not end the sessions of a suspended line', () => {
  // proves network/access-servers
  it('is named by the request, which has succeeded, by its device, and by the history of the line', async () => {
    access.answers(({ imsi: id }) => (id === imsi(0) ? { outcome: 'refused', reason } : { outcome: 'done' }));
    const requestId = await suspend(0, 1);
    const { status, devicesSucceeded, devicesUnfollowed } = (await progress(requestId)).json();
    assert.deepEqual([status, devicesSucceeded, devicesUnfollowed], ['Success', 2, 1]);
    const lines = await linesOf(requestId);
    assert.deepEqual(
      lines.map(({ state, unfollowed }: { state: string; unfollowed: unknown }) => [state, unfollowed]),
      [
        ['done', [{ element: 'gw', state: 'refused', reason }]],
        ['done', undefined],
      ],
    );
    const user = await signIn(world, USER);
    const historyOf = async (deviceId: string) =>
      (await user.get(`/accounts/${ACCOUNT}/devices/${deviceId}/history?kind=network`)).json().events;
    const [event, ...more] = await historyOf(lines[0].deviceId);
    assert.deepEqual(
      [event.what, event.state, event.text, event.requestId, more],
      ['suspended', 'refused', `gw: ${reason}`, requestId, []],
    );
    assert.deepEqual(await historyOf(lines[1].deviceId), []);
  });

  it('has the refusal as its last error and in its metrics, and is up', async () => {
    const { elements } = (await world.operator('GET', '/network')).json();
    const [, { state, lastError }] = elements;
    assert.deepEqual([state, lastError], ['up', reason]);
    const { body } = await world.api.inject('/metrics');
    assert.match(body, /^linekeeper_network_orders_refused_total\{element="gw"\} 1$/m);
    assert.match(body, /^linekeeper_network_orders_refused_total\{element="hlr"\} 0$/m);
    assert.deepEqual((await world.operator('GET', '/network/differences')).json(), []);
  });

  it('is named as well if it has not answered for as long as orders are tried', async () => {
    access.answers({ outcome: 'failed', reason: 'does not answer' });
    const requestId = await suspend(2);
    assert.equal((await progress(requestId)).json().devicesUnfollowed, undefined);
    await age(3_600_000);
    await settle();
    const [{ ids, unfollowed }] = await linesOf(requestId);
    assert.equal(ids[0].id, imei(2));
    assert.deepEqual(unfollowed, [{ element: 'gw', state: 'failed', reason: 'does not answer' }]);
  });
});
