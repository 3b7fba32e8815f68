import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET, STRANGER, STRANGER_USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';

type Members = Readonly<Record<string, unknown>>;

const world = await makeWorld();
const imei = (n: number) => `9955000000${String(n).padStart(5, '0')}`;
const gatewayId = '7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a001';
const said = [{ name: 'what the owner says' }, 'also text'];
const line = { accountName: ACCOUNT, servicePlan: 'P-5MB' };
const TIERED = 'SVC-IOT-INTLG-TIERED-SIMSEC';
await world.import({
  ...SMALL_FLEET,
  devices: [
    ...[0, 1].map((n) => ({ ...line, imei: imei(n), record: { name: `d${n}` } })),
    { ...line, imei: imei(2), record: { name: 'd2', licenses: said } },
    { ...line, kind: 'gateway', imei: imei(3), record: { id: gatewayId, name: 'gate' } },
    { ...line, kind: 'sensor', imei: imei(4), record: { name: 'sensor', parentdeviceid: gatewayId } },
    { ...line, accountName: STRANGER, imei: imei(5), record: { name: 'theirs' } },
  ],
  licenses: [
    ...['SIMSec-IoT', 'SIMSec-IoT-Lt', TIERED, 'OWN'].map((skuNumber) => ({
      accountName: ACCOUNT,
      skuNumber,
      purchased: 10,
    })),
    { accountName: STRANGER, skuNumber: 'THEIRS', purchased: 1 },
  ],
  licenseAssignments: [
    { accountName: ACCOUNT, skuNumber: 'OWN', imei: imei(2) },
    { accountName: ACCOUNT, skuNumber: 'SIMSec-IoT-Lt', imei: imei(2) },
    { accountName: ACCOUNT, skuNumber: TIERED, imei: imei(3) },
    { accountName: ACCOUNT, skuNumber: 'OWN', imei: imei(4) },
    { accountName: STRANGER, skuNumber: 'THEIRS', imei: imei(5) },
  ],
});
const assignedOn = world.ctx.now().toISOString();
const own = { skuNumber: 'OWN', licenseType: 'Flexible', assignedOn };
const lifetime = { skuNumber: 'SIMSec-IoT-Lt', licenseType: 'Lifetime', assignedOn };
const tiered = { skuNumber: TIERED, licenseType: 'Flexible Tiered', assignedOn };

const { call } = await asUser(world);
const query = async (path: string, filter: object): Promise<Members[]> => {
  const answer = await call('POST', `/dm/v1/devices${path}/actions/query`, { accountname: ACCOUNT, filter });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const licensesOf = async (name: string): Promise<unknown> =>
  (await query('', { $selection: { name } }))[0]?.['licenses'];
const change = async (method: string, skuNumber: string, n: number) => {
  const answer = await call(method, '/m2m/v1/devices/license/actions/assign', {
    ...{ accountName: ACCOUNT, skuNumber },
    devices: [{ deviceIds: [{ id: imei(n), kind: 'imei' }] }],
  });
  assert.equal(answer.statusCode, 200, answer.body);
  await world.engine.settle();
};

// proves device-management/licences-in-records
describe('licenses of a device record', () => {
  it("200: are those assigned by an import, followed by the owner's own licences field", async () => {
    assert.deepEqual(await licensesOf('d2'), [own, lifetime, ...said]);
    assert.deepEqual(await licensesOf('d0'), []);
  });

  it('200: are those assigned by a request, until another request removes them', async () => {
    await change('POST', 'SIMSec-IoT', 1);
    assert.deepEqual(await licensesOf('d1'), [
      { skuNumber: 'SIMSec-IoT', licenseType: 'Flexible', assignedOn: world.ctx.now().toISOString() },
    ]);
    await change('DELETE', 'SIMSec-IoT', 1);
    assert.deepEqual(await licensesOf('d1'), []);
  });

  it('200: appear in gateways, in sensors and in expanded records', async () => {
    const [gateway] = await query('/gateways', { $expand: 'sensors' });
    assert.deepEqual(gateway?.['licenses'], [tiered]);
    assert.deepEqual((gateway!['sensors'] as Members[])[0]?.['licenses'], [own]);
    const [sensor] = await query('/sensors', { $expand: 'parentdevice' });
    assert.deepEqual(sensor?.['licenses'], [own]);
    assert.deepEqual((sensor!['parentdevice'] as Members)['licenses'], [tiered]);
  });

  it('200: appear with a projection only if it names them', async () => {
    const $selection = { name: 'd2' };
    assert.deepEqual(await query('', { $selection, $projection: ['licenses'] }), [
      { licenses: [own, lifetime, ...said] },
    ]);
    assert.deepEqual(await query('', { $selection, $projection: ['name'] }), [{ name: 'd2' }]);
  });

  it('200: appear in the response to a change of the record, and do not change the version themselves', async () => {
    const before = (await query('', { $selection: { name: 'd2' } }))[0]!;
    await change('POST', 'SIMSec-IoT', 2);
    await change('DELETE', 'SIMSec-IoT', 2);
    assert.deepEqual((await query('', { $selection: { name: 'd2' } }))[0], before);
    const answer = await call('PATCH', '/dm/v1/devices', {
      ...{ accountname: ACCOUNT, id: before['id'], versionid: before['versionid'] },
      device: { description: 'on the roof' },
    });
    assert.equal(answer.statusCode, 200, answer.body);
    assert.deepEqual(answer.json().licenses, [own, lifetime, ...said]);
  });

  it("200: do not become the owner's own field when a returned record is imported", async () => {
    const record = (await query('', { $selection: { name: 'd2' } }))[0]!;
    await world.import({ devices: [{ accountName: ACCOUNT, imei: imei(2), record }] });
    assert.deepEqual(await licensesOf('d2'), [own, lifetime, ...said]);
  });

  it('200: never include those of another customer', async () => {
    const { call: asStranger } = await asUser(world, STRANGER_USER);
    const answer = await asStranger('POST', '/dm/v1/devices/actions/query', {
      accountname: STRANGER,
      filter: { $selection: { name: 'theirs' } },
    });
    assert.deepEqual(answer.json()[0].licenses, [
      { skuNumber: 'THEIRS', licenseType: 'Flexible', assignedOn },
    ]);
  });
});
