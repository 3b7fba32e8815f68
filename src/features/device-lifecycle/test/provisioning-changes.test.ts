import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, MANAGED } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { byImei, DAY_MS, iccid, imei, makeLifecycleScene } from './scene.ts';

const scene = await makeLifecycleScene();
const { world, db, stateOf } = scene;
const { clock } = world;
const SERVICE = 'ExternalProvisioningChanges';
const LISTENER = { accountName: ACCOUNT, serviceName: SERVICE, url: 'http://127.0.0.1:9001/x' };
await world.import({ listeners: [LISTENER] });

interface Posted {
  readonly change: string;
  readonly device: string;
  readonly plan: string;
  readonly state: string;
}
/** The messages that `work` posts. */
async function postedBy(work: () => Promise<unknown>): Promise<Posted[]> {
  const rows = () =>
    db.many<{ id: string; payload: string }>(sql`
      select message_id as id, payload from callback_message where service_name = ${SERVICE} order by message_id`);
  const before = new Set((await rows()).map(({ id }) => id));
  await work();
  return (await rows())
    .filter(({ id }) => !before.has(id))
    .map(({ payload }) => {
      const { deviceIds, deviceResponse } = JSON.parse(payload);
      const { change, accountName, carrierInformation, source } = deviceResponse.provisioningChangeResponse;
      assert.deepEqual(
        [accountName, source, carrierInformation.carrierName],
        [ACCOUNT, 'Operator', 'Linekeeper'],
      );
      const { servicePlan: plan, state } = carrierInformation;
      return { change, device: deviceIds[0].id, plan, state };
    });
}
const importing = (...devices: object[]) =>
  postedBy(() => world.import({ devices: devices.map((device) => ({ accountName: ACCOUNT, ...device })) }));

describe('an import notifies the owner', () => {
  // proves 6.1/ExternalProvisioningChanges lines/external-changes
  it('of every change of state, by name', async () => {
    const changes = [];
    for (const state of ['suspend', 'active', 'deactive', 'active', 'pre-active'])
      changes.push(
        ...(await importing({ imei: imei(1), state })).map((posted) => [posted.change, posted.state]),
      );
    assert.deepEqual(changes, [
      ['Suspend', 'suspend'],
      ['Resume', 'active'],
      ['Deactivate', 'deactive'],
      ['Activate', 'active'],
    ]);
  });

  // proves 6.1/ExternalProvisioningChanges lines/external-changes
  it('of another plan and other identifiers, one message for each', async () => {
    await importing({ imei: imei(2), iccid: iccid(2), mdn: '5550177002' });
    const posted = await importing({
      imei: imei(2),
      iccid: iccid(3),
      mdn: '5550177003',
      esn: '80ABCDEF',
      meid: 'A0000000000042',
      servicePlan: 'P-50MB',
      state: 'suspend',
    });
    assert.deepEqual(posted.map(({ change }) => change).sort(), [
      'Change ESN',
      'Change ICCID',
      'Change MDN',
      'Change MEID',
      'Change Service Plan',
      'Suspend',
    ]);
    assert.deepEqual(
      new Set(posted.map(({ plan, state }) => `${plan} ${state}`)),
      new Set(['P-50MB suspend']),
    );
    const [byIccid] = await importing({ iccid: iccid(3), imei: imei(902) });
    assert.deepEqual([byIccid?.change, byIccid?.device], ['Change IMEI', imei(902)]);
  });

  it('of a change to a device that the document names by the id of its record', async () => {
    const id = await scene.idOf(9);
    const posted = await importing({ record: { id }, imei: imei(909) });
    assert.deepEqual(
      posted.map(({ change, device }) => [change, device]),
      [['Change IMEI', imei(909)]],
    );
  });

  it('of nothing for a first import, a repeated document, or other fields', async () => {
    const device = { imei: imei(800), servicePlan: 'P-5MB', state: 'active' };
    assert.deepEqual(await importing(device), []);
    assert.deepEqual(await importing(device), []);
    assert.deepEqual(await importing({ ...device, iot: false, record: { name: 'meter' } }), []);
  });

  it('even without a listener: the message fails with 0 attempts, and can be sent again', async () => {
    const entry = { accountName: MANAGED, imei: imei(30), state: 'suspend' };
    await world.import({ devices: [entry] });
    const path = `/callbacks?accountName=${MANAGED}&state=failed`;
    const [{ serviceName, attempts, requestId }, ...others] = (await world.operator('GET', path)).json();
    assert.deepEqual([serviceName, attempts, others], [SERVICE, [], []]);
    await world.import({ listeners: [{ ...LISTENER, accountName: MANAGED }] });
    assert.deepEqual((await world.operator('POST', '/callbacks/resend', { requestId })).json(), {
      resent: 1,
    });
  });

  it('of nothing if it is refused', async () => {
    const posted = await postedBy(() =>
      world.operator('POST', '/import', {
        devices: [{ accountName: ACCOUNT, imei: imei(3), state: 'suspend' }],
        usageTriggers: [{ accountName: 'no such account' }],
      }),
    );
    assert.deepEqual([posted, await stateOf(3)], [[], 'active']);
  });

  it('of more devices than fit on a page, each once', async () => {
    const devices = Array.from({ length: 2_100 }, (_, n) => ({
      imei: imei(10_000 + n),
      servicePlan: 'P-5MB',
    }));
    await importing(...devices);
    const posted = await importing(...devices.map((device) => ({ ...device, state: 'deactive' })));
    assert.equal(posted.length, 2_100);
    assert.equal(new Set(posted.map(({ device }) => device)).size, 2_100);
  });
});

describe('POST /operator/v1/devices/{kind}/{id}/state', () => {
  const change = (n: number, state: string) =>
    world.operator('POST', `/devices/imei/${imei(n)}/state`, { state });

  it('200: changes the state and notifies the owner, but not again for the same state', async () => {
    const posted = await postedBy(async () => {
      const answer = await change(4, 'Suspend');
      assert.deepEqual([answer.statusCode, answer.json().state], [200, 'suspend']);
      await change(4, 'suspend');
    });
    assert.deepEqual(posted, [{ change: 'Suspend', device: imei(4), plan: 'P-5MB', state: 'suspend' }]);
  });

  // proves lines/suspended-days lines/end-of-a-suspension
  it('200: returns a line suspended by the operator, here or by an import, to active after 90 days', async () => {
    await importing({ imei: imei(5), state: 'suspend' });
    await change(4, 'active');
    await change(4, 'suspend');
    clock.holdAt(new Date(world.ctx.now().getTime() + 91 * DAY_MS));
    await world.engine.settle();
    assert.deepEqual([await stateOf(4), await stateOf(5)], ['active', 'active']);
  });

  it('200: does not activate a device at the end of a suspension, here or by an import, if it was not active before', async () => {
    await change(10, 'suspend');
    await change(15, 'suspend');
    await importing({ imei: imei(11), state: 'suspend' });
    await change(12, 'suspend');
    await scene.done('actions/restore', { accountName: ACCOUNT, devices: byImei(12) });
    clock.holdAt(new Date(world.ctx.now().getTime() + 91 * DAY_MS));
    await world.engine.settle();
    assert.deepEqual(
      [await stateOf(10), await stateOf(11), await stateOf(12), await stateOf(15)],
      ['pre-active', 'pre-active', 'pre-active', 'deactive'],
    );
  });

  it('200: ends a suspension when it ends the suspended state', async () => {
    await change(6, 'suspend');
    await change(6, 'active');
    const open = await db.many(sql`
      select from device_suspension s join device d using (ecpd_id, device_id)
      where d.imei = ${imei(6)} and s.resumed_at is null`);
    assert.equal(open.length, 0);
  });

  it('404: an unknown device; 400: an unknown state', async () => {
    assert.equal((await change(99_999, 'active')).statusCode, 404);
    assert.equal((await change(6, 'asleep')).statusCode, 400);
  });
});
