import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { gatewayId, sensorId } from './record-fleet.ts';

const FOREIGN_ID = '7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a0ff';
const [DEVICE_ID, USER_ID, RULE_ID] = [1, 2, 3].map((n) => `7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a01${n}`);
const IDENTIFIERS = {
  imei: '990000000000052',
  imsi: '310150123456789',
  esn: '4294967295',
  iccid: '89148000000000000002',
  meid: 'A0000012345678',
  msisdn: '15550100007',
  mac: 'AA:BB:CC:DD:EE:01',
};
/** Fields of a device that its record contains. */
const RECORD = {
  id: DEVICE_ID,
  chipset: 'C-1',
  customdata: { a: [1, { b: null }] },
  description: 'on the roof',
  fields: { rate: 5 },
  hardwareversion: 'h1',
  licenses: [{ name: 'l' }],
  manufacturer: 'Acme',
  name: 'roof',
  productmodel: 'M-1',
  providerid: 'carrier',
  qrcode: '4711',
  refid: 'r-1',
  refidtype: 'crm',
  serial: 'S-2',
  services: ['s'],
  sku: 'K-1',
  softwareversion: 's1',
  state: 'failed',
};
const USER = {
  id: USER_ID,
  ackterms: true,
  acktermson: '2026-01-01T00:00:00.000Z',
  credentialsid: 'ann@b.example',
  credentialstype: 'email',
  customdata: { shift: 'day' },
  description: 'manager',
  displayname: 'Ann B',
  email: 'ann@b.example',
  firstname: 'Ann',
  lastname: 'B',
  mdn: '5550100001',
  middlename: 'M',
  name: 'ann',
  number: '5550100001',
  requestedon: '2026-01-02T00:00:00.000Z',
  state: 'success',
};
const RULE = {
  id: RULE_ID,
  description: 'too hot',
  disabled: true,
  name: 'hot',
  rulechain: { field: 't', operator: 'gt', value: 30 },
  rulesyntax: 'json',
};

const world = await makeWorld();
await world.import({
  ...SMALL_FLEET,
  profiles: [{ ecpdId: '9000001', foreignId: FOREIGN_ID }, { ecpdId: '9000009' }],
  devices: [
    { accountName: ACCOUNT, ...IDENTIFIERS, record: RECORD },
    { accountName: ACCOUNT, kind: 'gateway', mac: 'AA-BB-CC-DD-EE-02', record: { id: gatewayId } },
    {
      accountName: ACCOUNT,
      kind: 'sensor',
      mac: 'AA-BB-CC-DD-EE-03',
      record: { id: sensorId, parentdeviceid: gatewayId },
    },
  ],
  userProfiles: [{ accountName: ACCOUNT, ...USER }],
  rules: [{ accountName: ACCOUNT, deviceImei: IDENTIFIERS.imei, ...RULE }],
});
const { call } = await asUser(world);

const CHANGES = {
  device: ['PATCH', '/dm/v1/devices', { id: DEVICE_ID, device: { name: 'other' } }],
  user: ['PATCH', '/dm/v1/users', { id: USER_ID, user: { firstname: 'Other' } }],
  rule: ['POST', '/dm/v1/rules', { resourceidentifier: { id: RULE_ID }, rule: { ...RULE, name: 'other' } }],
} as const;
type Kind = keyof typeof CHANGES;

const query = async (path: string, id: string) => {
  const answer = await call('POST', `/dm/v1/${path}/actions/query`, { accountname: ACCOUNT, filter: {} });
  const records = answer.json() as Record<string, unknown>[];
  return records.find((record) => record['id'] === id)!;
};
const read = (kind: Kind) => query(`${kind}s`, { device: DEVICE_ID, user: USER_ID, rule: RULE_ID }[kind]!);

const GIVEN: Readonly<Record<Kind, Readonly<Record<string, unknown>>>> = {
  device: {
    ...RECORD,
    ...IDENTIFIERS,
    imei: Number(IDENTIFIERS.imei),
    imsi: Number(IDENTIFIERS.imsi),
    esn: Number(IDENTIFIERS.esn),
    foreignid: FOREIGN_ID,
  },
  user: USER,
  rule: RULE,
};

for (const kind of ['device', 'user', 'rule'] as const) {
  describe(`the record of a ${kind}`, () => {
    for (const [field, value] of Object.entries(GIVEN[kind])) {
      // proves 2.8/* 2.7/* 2.9/description 2.9/disabled 2.9/id 2.9/name 2.9/rulechain 2.9/rulesyntax
      it(`${kind}: ${field} is returned as it was given`, async () =>
        assert.deepEqual((await read(kind))[field], value));
    }

    // proves 2.7/accountclientid 2.8/accountclientid 2.9/accountclientid
    it(`${kind}: accountclientid is null`, async () =>
      assert.equal((await read(kind))['accountclientid'], null));

    // proves 2.7/billingaccountid 2.8/billingaccountid 2.9/billingaccountid
    it(`${kind}: billingaccountid is the account`, async () =>
      assert.equal((await read(kind))['billingaccountid'], ACCOUNT));

    // proves 2.8/foreignid 2.9/foreignid
    it(`${kind}: foreignid is that of the profile`, async () =>
      assert.equal((await read(kind))['foreignid'], FOREIGN_ID));

    // proves 2.7/createdon 2.7/lastupdated 2.7/version 2.7/versionid 2.8/createdon 2.8/lastupdated 2.8/version
    // proves 2.8/versionid 2.9/createdon 2.9/lastupdated 2.9/version 2.9/versionid
    it(`${kind}: createdon, lastupdated, version and versionid change with every write`, async () => {
      const before = await read(kind);
      world.pass(60_000);
      const [method, path, body] = CHANGES[kind];
      const answer = await call(method, path, { accountname: ACCOUNT, ...body });
      assert.equal(answer.statusCode, 200, answer.body);
      const after = await read(kind);
      assert.equal(after['createdon'], before['createdon']);
      assert.ok(String(after['lastupdated']) > String(before['lastupdated']));
      assert.ok(Number(after['version']) > Number(before['version']));
      assert.notEqual(after['versionid'], before['versionid']);
    });
  });
}

// proves 2.8/secondarybillingaccountids
it('user: secondarybillingaccountids is null', async () =>
  assert.equal((await read('user'))['secondarybillingaccountids'], null));

// proves 2.9/deviceid
it('rule: deviceid is its device', async () => assert.equal((await read('rule'))['deviceid'], DEVICE_ID));

// proves 2.7/parentdeviceid
it('sensor: parentdeviceid is its gateway', async () =>
  assert.equal((await query('devices/sensors', sensorId))['parentdeviceid'], gatewayId));
