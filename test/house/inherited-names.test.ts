import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET, USER } from '../support/fleet.ts';
import { makeWorld, OPERATOR_KEY } from '../support/world.ts';

const world = await makeWorld();
const { api, operator } = world;
await world.import(SMALL_FLEET);
const { call, headers } = await asUser(world);
const IMEI = '990000000000011';
const NAMES = ['__proto__', 'constructor'] as const;

/** Members that a copy by assignment would give to all objects, or to its target object. */
const HARM = '"__proto__":{"harmed":true},"constructor":{"prototype":{"harmed":true}}';
const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value as JSON text, with both names as members of every object in it: a literal would set the prototype. */
function harmful(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(harmful).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${harmful(member)}`);
  return `{${[HARM, ...members].join()}}`;
}

afterEach(() => {
  assert.deepEqual(Object.keys(Object.prototype), []);
  assert.equal(Object.getPrototypeOf(Object.prototype), null);
  for (const harmed of [{}, [], () => {}]) assert.ok(!('harmed' in harmed));
});

const TRIGGER = {
  triggerName: 't',
  pricePlanTrigger: {
    payAsYouGo: {
      filterCriteria: { carrierServicePlanCode: 'P-5MB', accountNameList: [ACCOUNT] },
      condition: { comparator: 'gt', threshold: 1 },
      action: {},
    },
  },
  notification: { notificationType: 'PerEvent', callback: true },
};
const account = { accountName: ACCOUNT };
const deviceIds = [{ id: IMEI, kind: 'imei' }];

const CALLS: readonly [string, string, object][] = [
  ['POST', '/m2m/v1/session/login', USER],
  ['POST', '/m2m/v1/devices/actions/list', { ...account, deviceId: deviceIds[0] }],
  ['POST', '/m2m/v1/devices/actions/restore', { ...account, devices: [{ deviceIds }] }],
  ['PUT', '/m2m/v1/devices/actions/plan', { ...account, servicePlan: 'P-5MB', devices: [{ deviceIds }] }],
  ['POST', '/loc/v1/locations', { ...account, deviceList: [{ id: IMEI, kind: 'IMEI' }] }],
  ['POST', '/loc/v1/consents', { ...account, exclusion: [IMEI] }],
  ['POST', '/subsc/v1/usage/triggers', { ...account, serviceName: 'Location', thresholdValue: '50' }],
  ['POST', '/m2m/v2/triggers', TRIGGER],
  ['POST', `/m2m/v1/callbacks/${ACCOUNT}`, { name: 'Location', url: 'http://127.0.0.1:9000/' }],
  ['POST', '/dm/v1/devices/actions/query', { accountname: ACCOUNT, filter: { $limitnumber: 1 } }],
];

describe('__proto__ and constructor in a body', () => {
  for (const [method, path, body] of CALLS)
    it(`200: are ignored as every unknown member is, at each level: ${method} ${path}`, async () => {
      const answer = await call(method, path, harmful(body));
      assert.equal(answer.statusCode, 200, answer.body);
      assert.ok(!answer.body.includes('harmed'), answer.body);
    });

  it('200: are ignored on the operator API, and nothing of them is kept', async () => {
    const path = `/devices/imei/${IMEI}/simulation`;
    const answer = await operator('PATCH', path, harmful({ online: false }));
    assert.deepEqual([answer.statusCode, answer.json()], [200, { online: false }]);
    await operator('PATCH', path, { online: true });
  });

  it('400: stand in for nothing that is missing', async () => {
    const given = JSON.stringify({ ...account, deviceList: [{ id: IMEI, kind: 'IMEI' }] });
    for (const body of [`{"__proto__":${given}}`, `{"constructor":{"prototype":${given}}}`]) {
      const answer = await call('POST', '/loc/v1/locations', body);
      assert.match(answer.json().errorMessage, /^Input Binding Error/, answer.body);
    }
    const credentials = `{"__proto__":${JSON.stringify(USER)}}`;
    assert.equal((await call('POST', '/m2m/v1/session/login', credentials)).statusCode, 400);
  });

  for (const name of NAMES) {
    it(`400: are named where an unknown member is refused: ${name}`, async () => {
      const body = `{"accountName":"${ACCOUNT}","${name}":{"a":1}}`;
      const answer = await call('POST', '/m2m/v1/devices/actions/suspend', body);
      assert.equal(answer.json().errorCode, 'DeviceService.INPUT_INVALID.Member.Unknown', answer.body);
      assert.ok(answer.json().errorMessage.endsWith(`: ${name}`), answer.body);
    });

    it(`400: are no state of a device: ${name}`, async () => {
      const body = { ...account, currentState: name };
      const answer = await call('POST', '/m2m/v1/devices/actions/list', body);
      assert.equal(answer.json().errorCode, 'DeviceService.INPUT_INVALID.DeviceState.Invalid', answer.body);
    });
  }
});

describe('__proto__ and constructor in documents that are kept as they were sent', () => {
  it('200: stay in them, and such a rule is not evaluated', async () => {
    const kept = '{"a":[{"constructor":{"prototype":{"harmed":true}}}],"__proto__":{"harmed":true}}';
    const [device] = (
      await call('POST', '/dm/v1/devices/actions/query', { accountname: ACCOUNT, filter: {} })
    ).json();
    const rule = `"rule":{"name":"r","deviceid":"${device.id}","rulesyntax":"json","rulechain":${kept}}`;
    const made = await call('POST', '/dm/v1/rules', `{"accountname":"${ACCOUNT}",${rule}}`);
    assert.equal(made.statusCode, 200, made.body);
    assert.deepEqual(JSON.stringify(made.json().rulechain), JSON.stringify(JSON.parse(kept)));
    const [read] = (
      await call('POST', '/dm/v1/rules/actions/query', { accountname: ACCOUNT, filter: {} })
    ).json();
    assert.deepEqual(JSON.stringify(read.rulechain), JSON.stringify(JSON.parse(kept)));
    assert.match(JSON.stringify(read.evaluation), /__proto__|constructor/);
  });
});

describe('__proto__ and constructor in feeds', () => {
  const at = '2026-01-04T12:00:00Z';
  const of = { kind: 'imei', device: IMEI, at };
  const RECORDS: Readonly<Record<string, object>> = {
    usage: { ...of, id: 'u1', bytes: 5 },
    positions: { ...of, lat: 1, lon: 2 },
    readings: { ...of, values: { t: 1 } },
  };
  for (const [feed, record] of Object.entries(RECORDS)) {
    it(`200: are taken as any unknown member is: ${feed}`, async () => {
      const unknown = await operator('POST', `/${feed}`, JSON.stringify({ ...record, id: 'u0', extra: {} }));
      const answer = await operator('POST', `/${feed}`, `{${HARM},${JSON.stringify(record).slice(1)}`);
      assert.deepEqual([unknown.json().rejectedTotal, answer.json().rejectedTotal], [0, 0], answer.body);
    });

    it(`200: stand in for nothing that is missing, in an event either: ${feed}`, async () => {
      const missing = `{"__proto__":${JSON.stringify(record)}}`;
      const event = `{"specversion":"1.0","__proto__":{"data":${JSON.stringify(record)}}}`;
      const within = `{"specversion":"1.0","data":${missing}}`;
      const answer = await operator('POST', `/${feed}`, [missing, event, within].join('\n'));
      assert.equal(answer.json().rejectedTotal, 3, answer.body);
    });
  }
});

describe('__proto__ and constructor in the fleet document', () => {
  const device = { ...account, imei: IMEI };
  const PLACES: readonly [string, (harm: string) => string][] = [
    ['', (harm) => `{"accountName":"${ACCOUNT}","imei":"${IMEI}",${harm}}`],
    ['/record', (harm) => `{"accountName":"${ACCOUNT}","imei":"${IMEI}","record":{"name":"x",${harm}}}`],
    [
      '/simulation/position',
      (harm) =>
        `{"accountName":"${ACCOUNT}","imei":"${IMEI}","simulation":{"position":{"lat":1,"lon":2,${harm}}}}`,
    ],
  ];
  for (const name of NAMES)
    for (const [place, entry] of PLACES)
      it(`422: are refused as any unknown field is: ${place}/${name}`, async () => {
        const answer = await operator(
          'POST',
          '/import',
          `{"devices":[${entry(`"${name}":{"harmed":true}`)}]}`,
        );
        assert.equal(answer.statusCode, 422, answer.body);
        assert.deepEqual(answer.json().errors, [
          { pointer: `/devices/0${place}/${name}`, detail: 'is not a known field' },
        ]);
      });

  it('200: the device is as it was', async () => {
    const answer = await operator('GET', `/devices/imei/${device.imei}`);
    assert.ok(!answer.body.includes('harmed'), answer.body);
  });
});

describe('__proto__ in an address', () => {
  it('is a parameter that nobody knows', async () => {
    const query = '__proto__=1&__proto__[harmed]=1&constructor[prototype][harmed]=1';
    const answer = await api.inject({ url: `/api/m2m/v1/plans/${ACCOUNT}?${query}`, headers });
    assert.equal(answer.statusCode, 200, answer.body);
    const asOperator = { authorization: `Bearer ${OPERATOR_KEY}` };
    const listed = await api.inject({ url: `/api/operator/v1/jobs?${query}`, headers: asOperator });
    assert.equal(listed.statusCode, 200, listed.body);
  });
});
