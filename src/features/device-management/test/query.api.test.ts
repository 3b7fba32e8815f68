import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, MANAGED } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { FIELDS, type RecordKind } from '../querying/fields.ts';
import { gatewayId, RECORD_FLEET, sensorId, tracker } from './record-fleet.ts';

const world = await makeWorld();
await world.import(RECORD_FLEET);
const { call } = await asUser(world);
const PATHS: Readonly<Record<RecordKind, string>> = {
  device: '/dm/v1/devices/actions/query',
  gateway: '/dm/v1/devices/gateways/actions/query',
  sensor: '/dm/v1/devices/sensors/actions/query',
  user: '/dm/v1/users/actions/query',
  rule: '/dm/v1/rules/actions/query',
};
const ask = (kind: RecordKind, more: object | string, method = 'POST') =>
  call(
    method,
    PATHS[kind],
    typeof more === 'string' ? `{"accountname":"${ACCOUNT}",${more}}` : { accountname: ACCOUNT, ...more },
  );
const find = async (kind: RecordKind, more: object | string) => {
  const answer = await ask(kind, more);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json() as Record<string, unknown>[];
};
const names = async (kind: RecordKind, filter: object) =>
  (await find(kind, { filter })).map(({ name, email }) => name ?? email);

describe('a query', () => {
  for (const kind of ['device', 'gateway', 'sensor', 'user', 'rule'] as const) {
    // proves 2.9/* 2.8/* 2.7/* 4.8-body/accountname 4.8/query-devices 4.8/query-gateways 4.8/query-sensors
    // proves 4.8/query-users device-management/records
    it(`200: returns an array of ${kind} records with every field of the interface and no other`, async () => {
      const records = await find(kind, { filter: {} });
      assert.ok(records.length > 0);
      for (const record of records) {
        const { evaluation: _, ...fields } = record;
        assert.deepEqual(Object.keys(fields).sort(), Object.keys(FIELDS[kind]).sort());
        assert.equal(record['billingaccountid'], ACCOUNT);
        assert.equal(record['accountclientid'], null);
        assert.match(String(record['versionid']), /^[0-9a-f-]{36}$/);
      }
    });
  }

  // proves 2.7/commands 2.7/modelmetadata device-management/records device-management/constant-fields
  it('200: has commands and modelmetadata for devices only, and null, {} or [] for unknown values', async () => {
    const [device] = await find('device', { resourceidentifier: { imei: 990000000000011 } });
    assert.deepEqual(
      [
        device!['commands'],
        device!['modelmetadata'],
        device!['customdata'],
        device!['services'],
        device!['esn'],
        device!['state'],
      ],
      [{}, {}, {}, [], null, 'success'],
    );
    const [gateway] = await find('gateway', { filter: {} });
    assert.ok(!('commands' in gateway!) && !('modelmetadata' in gateway!));
  });

  // proves 2.7/esn 2.7/imei 2.7/imsi device-management/long-numbers
  it('200: writes integers of 15 digits and of 64 bits as JSON integers, without losing a digit', async () => {
    const { body } = await ask('device', { resourceidentifier: { serial: 'S-1' } });
    assert.match(body, /"imei":12345678901234,/);
    assert.match(body, /"imsi":310150123456789,/);
    assert.match(body, /"esn":18446744073709551615,/);
    assert.match((await ask('gateway', { filter: {} })).body, /"esn":2158080707,/);
  });

  for (const [name, value] of Object.entries({
    imei: '12345678901234',
    imsi: '310150123456789',
    esn: '18446744073709551615',
    iccid: `"${tracker.iccid}"`,
    meid: '"a0000012345678"',
    msisdn: '"15550100003"',
    deveui: '"00-11-22-33-44-55-66-77"',
    node_uuid: `"${tracker.nodeUuid.toUpperCase()}"`,
    manufacturer: '"Acme"',
    qrcode: '"4711"',
    serial: '"S-1"',
  })) {
    // proves 4.8-body/resourceidentifier device-management/resource-identifier
    it(`200: finds by ${name}, also as text, and finds nothing else`, async () => {
      const found = await find('device', `"resourceidentifier":{"${name}":${value}}`);
      assert.deepEqual(
        found.map((one) => one['name']),
        ['tracker'],
      );
      const asText = await find(
        'device',
        `"resourceidentifier":{"${name}":${value.startsWith('"') ? value : `"${value}"`}}`,
      );
      assert.equal(asText.length, 1);
      assert.deepEqual(await find('gateway', `"resourceidentifier":{"${name}":${value}}`), []);
    });
  }

  it('200: finds by an integer too long for a number, and not by its neighbour', async () => {
    assert.equal((await find('device', '"resourceidentifier":{"esn":18446744073709551614}')).length, 0);
    assert.equal((await find('gateway', '"resourceidentifier":{"esn":2158080707}')).length, 1);
  });

  // proves 4.8-body/resourceidentifier device-management/resource-identifier
  it('200: finds by deviceid, and by a MAC in either form; every given field must match', async () => {
    const by = (resourceidentifier: object) => find('gateway', { resourceidentifier });
    assert.equal((await by({ deviceid: gatewayId }))[0]!['name'], 'gate');
    assert.equal((await by({ mac: 'AA-BB-CC-DD-EE-FF' })).length, 1);
    assert.equal((await by({ mac: 'aa:bb:cc:dd:ee:ff', deviceid: gatewayId, serial: null })).length, 1);
    assert.deepEqual(await by({ mac: 'aa:bb:cc:dd:ee:ff', deviceid: sensorId }), []);
  });

  // proves 4.8/query-gateways
  it('200: accepts PATCH for gateways, and finds nothing of another account', async () => {
    assert.equal((await ask('gateway', { filter: {} }, 'PATCH')).json().length, 1);
    assert.deepEqual(await find('device', { resourceidentifier: { imei: '990000000000029' } }), []);
    assert.deepEqual(await find('sensor', { resourceidentifier: { mac: '00:00:00:00:00:09' } }), []);
  });

  it('200: finds rules by their id, their device, or an identifier of it, and reports which are evaluated', async () => {
    const rules = await find('rule', { resourceidentifier: { imei: tracker.imei } });
    assert.deepEqual(
      rules.map(({ name, evaluation }) => [name, (evaluation as { active: boolean }).active]).sort(),
      [
        ['camel', false],
        ['hot', true],
      ],
    );
    const { id, deviceid } = rules[0]!;
    assert.equal((await find('rule', { resourceidentifier: { id } })).length, 1);
    assert.equal((await find('rule', { resourceidentifier: { deviceid } })).length, 2);
    assert.deepEqual(await find('rule', { resourceidentifier: { imei: '990000000000011' } }), []);
  });
});

describe('a selection', () => {
  // proves 4.8-body/$selection device-management/selection
  it('requires every field to be equal as text, and uses dots to reach into objects', async () => {
    for (const $selection of [
      { name: 'tracker', manufacturer: 'Acme' },
      { 'customdata.site.floor': '5', 'customdata.site.name': 'north' },
      { 'customdata.site.floor': 5, 'customdata.on': 'true' },
      { imei: '012345678901234', esn: '18446744073709551615', billingaccountid: ACCOUNT },
      { imei: 12345678901234, version: '1', state: 'success', sku: null },
    ])
      assert.deepEqual(await names('device', { $selection }), ['tracker'], JSON.stringify($selection));
    for (const $selection of [
      { name: 'tracker', manufacturer: 'ACME' },
      { 'customdata.site.floor': '6' },
      { 'customdata.site': 'north' },
      { billingaccountid: MANAGED },
      { accountclientid: 'x' },
      { imei: 'x' },
      { state: 'failed' },
      { 'name.x': 'tracker' },
    ])
      assert.deepEqual(await names('device', { $selection }), [], JSON.stringify($selection));
  });

  it('accepts page size and page number as digits in a text', async () => {
    const page = async ($limitnumber: unknown, $pagenumber: unknown) =>
      names('device', { $limitnumber, $pagenumber });
    const all = await names('device', {});
    assert.ok(all.length >= 2);
    assert.deepEqual(await page('1', '2'), await page(1, 2));
    assert.deepEqual(await page('1', '2'), [all[1]]);
  });

  it('accepts a number in any spelling, including integers too long for a number', async () => {
    const customdata = '{"small":1e-7,"half":0.50,"big":12345678901234567890}';
    const written = await call(
      'PATCH',
      '/dm/v1/devices',
      `{"accountname":"${ACCOUNT}","id":"${sensorId}","device":{"customdata":${customdata}}}`,
    );
    assert.match(written.body, /"big":12345678901234567890/);
    for (const selection of [
      '"small":1e-7',
      '"small":"0.0000001"',
      '"half":0.5',
      '"big":12345678901234567890',
    ])
      assert.equal(
        (
          await find(
            'sensor',
            `"filter":{"$limitnumber":10.0,"$selection":{"customdata.${selection.slice(1)}}}`,
          )
        ).length,
        1,
        selection,
      );
  });

  // proves device-management/selection
  it("accepts the service's own fields as the response spells them", async () => {
    const [record] = await find('device', { resourceidentifier: { serial: 'S-1' } });
    for (const name of ['id', 'foreignid', 'versionid', 'version', 'createdon', 'lastupdated'])
      assert.ok((await names('device', { $selection: { [name]: record![name] } })).includes('tracker'), name);
    assert.deepEqual(await names('device', { $selection: { createdon: '2020-01-01T00:00:00Z' } }), []);
  });

  it('finds users and rules by their fields', async () => {
    assert.deepEqual(
      await names('user', { $selection: { ackterms: 'true', acktermson: '2025-12-31T23:00:00Z' } }),
      ['bob@b.example'],
    );
    assert.deepEqual(await names('user', { $selection: { credentialstype: 'email', firstname: 'Ann' } }), [
      'ann@b.example',
    ]);
    assert.deepEqual(await names('rule', { $selection: { disabled: false, 'rulechain.field': 't' } }), [
      'hot',
    ]);
  });
});

describe('a projection', () => {
  // proves 4.8-body/$projection device-management/projection-and-pages
  it('returns only the named fields, ignores unknown names, and returns all if there is none', async () => {
    const [only] = await find('device', {
      resourceidentifier: { serial: 'S-1' },
      filter: { $projection: ['name', 'imei', 'nobody'] },
    });
    assert.deepEqual(only, { imei: 12345678901234, name: 'tracker' });
    const [all] = await find('device', { filter: { $projection: [] } });
    assert.ok('versionid' in all!);
  });
});

describe('pages', () => {
  const macs = (answer: Awaited<ReturnType<typeof ask>>): string[] =>
    answer.json().map(({ mac }: { mac: string }) => mac.slice(-1));

  // proves 4.8-body/$limitnumber 4.8-body/$page 4.8-body/$pagenumber device-management/projection-and-pages
  it('can be read with X-Next, which the last one lacks, and by number', async () => {
    const first = await ask('sensor', { filter: { $limitnumber: 2 } });
    const second = await ask('sensor', { filter: { $limitnumber: 2, $page: first.headers['x-next'] } });
    const third = await ask('sensor', { filter: { $limitnumber: 2, $page: second.headers['x-next'] } });
    const pages = [first, second, third].map(macs);
    assert.deepEqual(
      pages.map(({ length }) => length),
      [2, 2, 1],
    );
    assert.deepEqual(pages.flat().sort(), ['1', '2', '3', '4', '5']);
    assert.equal(third.headers['x-next'], undefined);
    assert.deepEqual(macs(await ask('sensor', { filter: { $limitnumber: 2, $pagenumber: 2 } })), pages[1]);
    assert.deepEqual(macs(await ask('sensor', { filter: { $limitnumber: 2, $pagenumber: 9 } })), []);
    assert.equal(macs(await ask('sensor', { filter: { $limitnumber: 2, $nopagination: true } })).length, 5);
  });

  it('of users and rules can be read the same way', async () => {
    for (const kind of ['user', 'rule'] as const) {
      const first = await ask(kind, { filter: { $limitnumber: 1 } });
      const second = await ask(kind, { filter: { $limitnumber: 1, $page: first.headers['x-next'] } });
      assert.equal(second.headers['x-next'], undefined);
      assert.notEqual(first.json()[0].id, second.json()[0].id);
    }
  });
});

describe('an expansion', () => {
  // proves 4.8-body/$expand device-management/expand
  it('puts the sensors into their gateway and the gateway into its sensors, of the account only', async () => {
    const [gateway] = await find('gateway', { filter: { $expand: 'sensors', $projection: ['id'] } });
    assert.deepEqual(Object.keys(gateway!), ['id', 'sensors']);
    assert.deepEqual(
      (gateway!['sensors'] as { id: string }[]).map(({ id }) => id),
      [sensorId],
    );
    const sensors = await find('sensor', { filter: { $expand: 'ParentDevice' } });
    const parents = sensors.map(({ id, parentdeviceid, parentdevice }) => [
      id === sensorId,
      parentdeviceid,
      (parentdevice as { id: string } | null)?.id ?? null,
    ]);
    assert.deepEqual(
      parents.filter(([isOurs]) => isOurs),
      [[true, gatewayId, gatewayId]],
    );
    assert.equal(parents.filter(([, id, parent]) => id === null && parent === null).length, 4);
  });
});
