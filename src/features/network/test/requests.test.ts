import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { byImei, imei, imsi, lineOf, makeElement, makeNetworkScene, silent } from './scene.ts';

const register = makeElement('hlr');
const access = makeElement('gw');
const lines = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11].map((n) => lineOf(n));
const scene = await makeNetworkScene({
  elements: [
    { of: register, imsi: [`${imsi(0)}-${imsi(9)}`] },
    { of: access, afterwards: true },
  ],
  devices: lines,
});
const { ask, settle, states, callbacksOf, progress, orders, age } = scene;
await settle();
const stateOf = async (n: number) => (await states()).get(imsi(n))?.state;

describe('a request that changes lines', () => {
  it('orders imported lines from their element', async () => {
    const { state, plan, imei: terminal } = register.lines.get(imsi(0))!;
    assert.deepEqual([state, plan, terminal], ['active', 'P-5MB', imei(0)]);
    assert.equal(register.lines.has(imsi(10)), false);
  });

  it('stays pending, and its line unchanged, until the element has confirmed', async () => {
    register.answers(silent);
    const requestId = await ask('actions/suspend', { accountName: ACCOUNT, devices: byImei(0) });
    await settle();
    assert.equal((await progress(requestId)).json().status, 'Pending');
    assert.equal(await stateOf(0), 'active');
    assert.deepEqual(await callbacksOf(requestId), []);
    register.answers({ outcome: 'done' });
    await age(60_000);
    await settle();
    assert.equal((await progress(requestId)).json().status, 'Success');
    assert.equal(await stateOf(0), 'suspend');
    assert.equal(register.lines.get(imsi(0))?.state, 'suspended');
    assert.equal((await callbacksOf(requestId)).length, 1);
  });

  it('notifies the elements marked `afterwards` once the line has changed, and does not wait for them', async () => {
    access.answers(silent);
    const before = access.orders.length;
    const requestId = await ask('actions/suspend', { accountName: ACCOUNT, devices: byImei(1) });
    await settle();
    assert.equal((await progress(requestId)).json().status, 'Success');
    assert.ok(
      access.orders.slice(before).some((order) => order.imsi === imsi(1) && order.wanted === 'suspended'),
    );
    access.answers({ outcome: 'done' });
  });

  it('changes lines without an element at once, and those of a silent element later', async () => {
    register.answers(({ imsi: id }) => (id === imsi(2) ? silent : { outcome: 'done' }));
    const requestId = await ask('actions/suspend', { accountName: ACCOUNT, devices: byImei(2, 3, 10) });
    await settle();
    assert.deepEqual(
      [await stateOf(2), await stateOf(3), await stateOf(10)],
      ['active', 'suspend', 'suspend'],
    );
    const { devicesPending, devicesSucceeded } = (await progress(requestId)).json();
    assert.deepEqual([devicesPending, devicesSucceeded], [1, 2]);
    register.answers({ outcome: 'done' });
    await age(60_000);
    await settle();
    assert.equal((await progress(requestId)).json().status, 'Success');
  });

  it('fails with the reason of the element that refuses', async () => {
    register.answers({ outcome: 'refused', reason: 'barred by the register' });
    const requestId = await ask('actions/suspend', { accountName: ACCOUNT, devices: byImei(4) });
    await settle();
    assert.equal((await progress(requestId)).json().status, 'Failure');
    assert.equal(await stateOf(4), 'active');
    const [message] = await callbacksOf(requestId);
    assert.match(message.faultResponse.faultstring, /hlr: barred by the register/);
    register.answers({ outcome: 'done' });
  });

  it('fails if the element does not answer for an hour', async () => {
    register.answers(silent);
    const requestId = await ask('actions/suspend', { accountName: ACCOUNT, devices: byImei(5) });
    await settle();
    await age(3_600_000);
    await settle();
    assert.equal((await progress(requestId)).json().status, 'Failure');
    assert.equal(await stateOf(5), 'active');
    const [message] = await callbacksOf(requestId);
    assert.match(message.faultResponse.faultstring, /hlr: does not answer/);
    // The element may have done it without answering.
    assert.ok(
      (await orders()).some(
        (order) => order.imsi === imsi(5) && order.cause === 'back' && order.wanted === 'active',
      ),
    );
    register.answers({ outcome: 'done' });
    await age(60_000);
    await settle();
  });

  it('orders its line once, however often it is processed', async () => {
    const requestId = await ask('actions/restore', { accountName: ACCOUNT, devices: byImei(0, 1) });
    await settle();
    assert.equal((await progress(requestId)).json().status, 'Success');
    const own = register.orders.filter((order) => order.imsi === imsi(0) && order.wanted === 'active');
    assert.equal(own.length, 2);
  });

  it('orders a new plan from the element before the line gets it', async () => {
    register.answers(silent);
    const requestId = await ask('actions/plan', {
      accountName: ACCOUNT,
      devices: byImei(6),
      servicePlan: 'P-50MB',
    });
    await settle();
    assert.equal((await states()).get(imsi(6))?.plan, 'P-5MB');
    register.answers({ outcome: 'done' });
    await age(60_000);
    await settle();
    assert.equal((await progress(requestId)).json().status, 'Success');
    assert.equal((await states()).get(imsi(6))?.plan, 'P-50MB');
    assert.equal(register.lines.get(imsi(6))?.plan, 'P-50MB');
  });

  it('activates a new device with the numbers sent to the elements', async () => {
    const before = access.orders.length;
    const requestId = await ask('actions/activate', {
      accountName: ACCOUNT,
      servicePlan: 'P-5MB',
      mdnZipCode: '76051',
      devices: [
        {
          deviceIds: [
            { id: imei(50), kind: 'IMEI' },
            { id: imsi(9), kind: 'IMSI' },
          ],
        },
      ],
    });
    await settle();
    assert.equal((await progress(requestId)).json().status, 'Success');
    const [order] = register.orders.filter((each) => each.imsi === imsi(9));
    assert.equal(order?.wanted, 'active');
    const row = await scene.db.one<{ msisdn: string; state: string }>(
      sql`select msisdn, state from device where imei = ${imei(50)}`,
    );
    assert.deepEqual([order.msisdn, row.state], [row.msisdn, 'active']);
    assert.ok(access.orders.slice(before).some((each) => each.imsi === imsi(9)));
  });

  it('lets a newer request replace a waiting order', async () => {
    register.answers(silent);
    const older = await ask('actions/suspend', { accountName: ACCOUNT, devices: byImei(7) });
    await settle();
    const newer = await ask('actions/deactivate', {
      accountName: ACCOUNT,
      etfWaiver: true,
      reasonCode: 'FF',
      devices: byImei(7),
    });
    await settle();
    assert.equal((await progress(older)).json().status, 'Failure');
    const [message] = await callbacksOf(older);
    assert.match(message.faultResponse.faultstring, /newer order/);
    register.answers({ outcome: 'done' });
    await age(60_000);
    await settle();
    assert.equal((await progress(newer)).json().status, 'Success');
    assert.equal(register.lines.get(imsi(7))?.state, 'gone');
    assert.equal(await stateOf(7), 'deactive');
  });
});
