import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { parseExactly } from '../../../platform/json/exact-json.ts';
import { RECORD_FLEET, tracker } from './record-fleet.ts';

type Members = Readonly<Record<string, unknown>>;

const world = await makeWorld();
await world.import(RECORD_FLEET);
const { call } = await asUser(world);
const PATHS = { device: '', gateway: '/gateways', sensor: '/sensors' } as const;

const answered = async (kind: keyof typeof PATHS): Promise<readonly Members[]> => {
  const { body } = await call('POST', `/dm/v1/devices${PATHS[kind]}/actions/query`, {
    accountname: ACCOUNT,
    filter: {},
  });
  return parseExactly(body) as Members[];
};
const exportedIds = async (): Promise<ReadonlyMap<unknown, Members>> => {
  const { devices } = (await world.operator('GET', '/export')).json() as { devices: Members[] };
  return new Map(
    devices.map(({ record, state, labels, simulation, planSince, ...rest }) => [
      (record as Members)['id'],
      rest,
    ]),
  );
};
const post = (devices: unknown) => world.operator('POST', '/import', { devices });
/** Without what every write changes. */
const unversioned = ({ version, versionid, lastupdated, ...rest }: Members): Members => rest;

// proves fleet-document/records-as-answered
describe('a record in the fleet document', () => {
  for (const kind of ['device', 'gateway', 'sensor'] as const) {
    it(`200: of a ${kind} can be imported as a query returns it, and is then returned unchanged`, async () => {
      const [records, exportedById] = [await answered(kind), await exportedIds()];
      assert.ok(records.length > 0);
      const devices = records.map((record) => ({ ...exportedById.get(record['id']), record }));
      const answer = await post(devices);
      assert.equal(answer.statusCode, 200, answer.body);
      assert.deepEqual((await answered(kind)).map(unversioned), records.map(unversioned));
      const before = await answered(kind);
      await post(devices);
      assert.deepEqual(await answered(kind), before, 'the second time nothing is another');
    });
  }

  it('200: may come from another installation: its version stays, its versionid and its times do not', async () => {
    const { imei } = { imei: '990000000000300' };
    const [record] = await answered('device');
    const { id, imsi, esn, iccid, meid, msisdn, ...rest } = record!;
    const theirs = { versionid: '7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a077', lastupdated: '2020-01-01T00:00:00Z' };
    const device = { accountName: ACCOUNT, imei, record: { ...rest, imei: Number(imei), ...theirs } };
    assert.equal((await post([device])).statusCode, 200);
    const kept = (await answered('device')).find((one) => one['imei'] === Number(imei))!;
    assert.notEqual(kept['versionid'], theirs.versionid);
    assert.notEqual(kept['lastupdated'], theirs.lastupdated);
    assert.equal(kept['version'], record!['version']);
  });

  const refused: readonly (readonly [string, unknown, RegExp])[] = [
    ['imei', 990000000000011, /differs from the imei outside the record/],
    ['imei', true, /differs from the imei outside the record/],
    ['imsi', '310150123456780', /differs from the imsi outside the record/],
    ['esn', '1', /differs from the esn outside the record/],
    ['iccid', '89148000000000000009', /differs from the iccid outside the record/],
    ['meid', 'nonsense', /differs from the meid outside the record/],
    ['msisdn', '15550100009', /differs from the msisdn outside the record/],
    ['mac', 'AA:BB:CC:DD:EE:99', /differs from the mac outside the record/],
    ['billingaccountid', '0000999999-00009', /must be the same as accountName/],
    ['accountclientid', 'somebody', /must be the same as accountName/],
    ['versionid', 'nonsense', /pattern/],
    ['lastupdated', '2026-02-30T00:00:00Z', /is not a date and time/],
  ];
  for (const [name, value, detail] of refused) {
    it(`422: is refused if it contains another ${name}: ${JSON.stringify(value)}`, async () => {
      const answer = await post([{ ...tracker, record: { [name]: value } }]);
      assert.equal(answer.statusCode, 422, answer.body);
      const [error] = answer.json().errors;
      assert.equal(error.pointer, `/devices/0/record/${name}`);
      assert.match(error.detail, detail);
    });
  }

  it('200: may omit or repeat, in any spelling, the identifiers next to it and the account', async () => {
    const mac = '00-00-00-00-00-01';
    const answer = await post([
      {
        accountName: ACCOUNT,
        mac: '00:00:00:00:00:01',
        record: { mac, imei: null, accountclientid: ACCOUNT },
      },
      { ...tracker, record: { imei: 12345678901234, imsi: '310150123456789', billingaccountid: null } },
    ]);
    assert.equal(answer.statusCode, 200, answer.body);
  });
});
