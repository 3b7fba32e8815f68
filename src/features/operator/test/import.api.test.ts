import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { isOnCluster } from '../../../../test/support/citus.ts';
import { ACCOUNT, SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

const world = await makeWorld();
const { operator } = world;
await world.import(SMALL_FLEET);

const post = (document: unknown, headers = {}) => operator('POST', '/import', document, headers);
const device = async (kind: string, id: string) => (await operator('GET', `/devices/${kind}/${id}`)).json();
const exported = async (query = '') => (await operator('GET', `/export${query}`)).json();
const errorsOf = async (document: unknown) => {
  const before = await exported();
  const answer = await post(document);
  assert.equal(answer.statusCode, 422, answer.body);
  assert.deepEqual(await exported(), before, 'nothing is changed by a refused document');
  return answer.json().errors as { pointer: string; detail: string }[];
};

describe('POST /operator/v1/import', () => {
  it('200: counts the imported entries', async () => {
    const answer = await post(SMALL_FLEET);
    assert.equal(answer.statusCode, 200);
    assert.deepEqual(answer.json(), {
      counts: { profiles: 2, accounts: 3, clients: 1, users: 2, plans: 1, devices: 2 },
    });
  });

  // proves data/where-data-comes-from
  it('200: changes nothing when it is imported again: ids, versions and times stand', async () => {
    const before = await exported();
    await world.import(SMALL_FLEET);
    assert.deepEqual(await exported(), before);
    await world.import(before);
    assert.deepEqual(await exported(), before);
  });

  // proves data/where-data-comes-from
  it('200: keeps what the document does not mention', async () => {
    await world.import({
      devices: [{ accountName: ACCOUNT, imei: '990000000000011', record: { name: 'Pump', serial: 'S1' } }],
    });
    await world.import({
      devices: [{ accountName: ACCOUNT, imei: '990000000000011', record: { name: 'Pump 2' } }],
    });
    const { record, servicePlan, mdn } = await device('imei', '990000000000011');
    assert.deepEqual([record.name, record.serial, servicePlan, mdn], ['Pump 2', 'S1', 'P-5MB', '5550100001']);
  });

  it('200: finds the device by any identifier it already has, and frees a replaced one', async () => {
    await world.import({
      devices: [{ accountName: ACCOUNT, mdn: '5550100001', iccid: '89000000000000000011' }],
    });
    assert.equal((await device('iccid', '89000000000000000011')).imei, '990000000000011');
    await world.import({
      devices: [{ accountName: ACCOUNT, imei: '990000000000011', iccid: '89000000000000000022' }],
    });
    assert.equal((await operator('GET', '/devices/iccid/89000000000000000011')).statusCode, 404);
    assert.equal((await device('ICCID', '89000000000000000022')).imei, '990000000000011');
  });

  // proves fleet-document/plan-dates
  it('200: changes planSince only with the plan', async () => {
    await world.import({ plans: [{ code: 'P-NEW' }] });
    const one = { accountName: ACCOUNT, imei: '990000000000011' };
    await world.import({ devices: [{ ...one, servicePlan: 'P-NEW', planSince: '2025-06-01T00:00:00Z' }] });
    assert.equal((await device('imei', one.imei)).planSince, '2025-06-01T00:00:00.000Z');
    await world.import({ devices: [{ ...one, servicePlan: 'P-NEW', planSince: '2025-07-01T00:00:00Z' }] });
    assert.equal((await device('imei', one.imei)).planSince, '2025-06-01T00:00:00.000Z');
    await world.import({ devices: [{ ...one, servicePlan: 'P-5MB' }] });
    assert.equal((await device('imei', one.imei)).planSince, world.ctx.now().toISOString());
  });

  it('200: keeps the version of a record if only the simulation of its device changes', async () => {
    const one = { accountName: ACCOUNT, imei: '990000000000011' };
    const read = () =>
      world.ctx.db.one<{ version: number; online: boolean }>(sql`
        select version::int, version_id, last_updated, (simulation->>'online')::boolean as online
        from device where imei = ${one.imei}`);
    const before = await read();
    world.pass(1_000);
    await world.import({ devices: [{ ...one, simulation: { online: false } }] });
    assert.deepEqual(await read(), { ...before, online: false });
    await world.import({ devices: [{ ...one, simulation: { online: true }, iot: false }] });
    const { version, online } = await read();
    assert.deepEqual([version, online], [before.version + 1, true]);
    const audited = (await world.operator('GET', '/audit?action=importDeviceRecord&limit=1')).json();
    assert.deepEqual(audited[0].after.version, String(version));
    await world.import({ devices: [{ ...one, iot: true }] });
  });

  // proves requests/content-encoding
  it('200: accepts the sections in any order, and gzip', async () => {
    const { devices, plans, accounts, profiles } = SMALL_FLEET;
    const reversed = JSON.stringify({ devices, plans, accounts, profiles });
    const answer = await world.api.inject({
      method: 'POST',
      url: '/api/operator/v1/import',
      headers: { authorization: 'Bearer operator-key-for-tests', 'content-encoding': 'gzip' },
      payload: gzipSync(reversed),
    });
    assert.equal(answer.statusCode, 200, answer.body);
  });

  // proves consent/default-level
  it('200: records consent level 2 for every account', async () => {
    const { consents } = await exported();
    assert.deepEqual(
      consents.map(({ level }: { level: number }) => level),
      [2, 2, 2],
    );
  });

  const refused: Record<string, [object, { pointer: string; detail: RegExp }]> = {
    'an identifier that does not fit its kind': [
      { devices: [{ accountName: ACCOUNT, imei: '99' }] },
      { pointer: '/devices/0/imei', detail: /14 to 16 digits/ },
    ],
    'a device without any identifier': [
      { devices: [{ accountName: ACCOUNT }] },
      { pointer: '/devices/0', detail: /identifier/ },
    ],
    'an account that does not exist': [
      { devices: [{ accountName: '1-1', imei: '990000000000037' }] },
      { pointer: '/devices/0/accountName', detail: /no account/ },
    ],
    'a plan that does not exist': [
      { devices: [{ accountName: ACCOUNT, imei: '990000000000037', servicePlan: 'NONE' }] },
      { pointer: '/devices/0/servicePlan', detail: /no plan/ },
    ],
    'an identifier of another account': [
      { devices: [{ accountName: STRANGER, imei: '990000000000011' }] },
      { pointer: '/devices/0/imei', detail: /another account/ },
    ],
    'identifiers of two devices in one entry': [
      {
        devices: [
          { accountName: ACCOUNT, imei: '990000000000045' },
          { accountName: ACCOUNT, imei: '990000000000045', mdn: '5550100001' },
        ],
      },
      { pointer: '/devices/1/imei', detail: /twice/ },
    ],
    'an account that would change its profile': [
      { accounts: [{ accountName: ACCOUNT, ecpdId: '9000009' }] },
      { pointer: '/accounts/0/ecpdId', detail: /never changes its profile/ },
    ],
    'a profile that does not exist': [
      { accounts: [{ accountName: '5-5', ecpdId: 'nobody' }] },
      { pointer: '/accounts/0/ecpdId', detail: /no profile/ },
    ],
    'a time zone that does not exist': [
      { accounts: [{ accountName: ACCOUNT, ecpdId: '9000001', timeZone: 'Mars/Olympus' }] },
      { pointer: '/accounts/0/timeZone', detail: /time zone/ },
    ],
    'a user with an unknown account': [
      { users: [{ username: 'u', password: 'password-u', accounts: ['7-7'] }] },
      { pointer: '/users/0/accounts', detail: /does not exist/ },
    ],
    'an unknown section': [{ gadgets: [{}] }, { pointer: '/gadgets', detail: /not a known section/ }],
    'an unknown field': [
      { plans: [{ code: 'X', colour: 'red' }] },
      { pointer: '/plans/0/colour', detail: /not a known field/ },
    ],
    'the same key twice': [
      { plans: [{ code: 'X' }, { code: 'X' }] },
      { pointer: '/plans/1/code', detail: /twice/ },
    ],
    'a day that does not exist': [
      { devices: [{ accountName: ACCOUNT, imei: '990000000000037', planSince: '2026-02-30T00:00:00Z' }] },
      { pointer: '/devices/0/planSince', detail: /date/ },
    ],
    'an error type the network does not know': [
      { devices: [{ accountName: ACCOUNT, imei: '990000000000037', simulation: { error: 'TIRED' } }] },
      { pointer: '/devices/0/simulation/error', detail: /error type/ },
    ],
    'a character that cannot be stored': [
      { plans: [{ code: 'X', name: 'a\u0000b' }] },
      { pointer: '/plans/0', detail: /U\+0000/ },
    ],
    'half a character': [
      { plans: [{ code: 'X', name: 'a\ud800b' }] },
      { pointer: '/plans/0', detail: /surrogate/ },
    ],
    'an entry nested thousands deep': [
      {
        devices: [
          {
            accountName: ACCOUNT,
            imei: '990000000000037',
            record: { customdata: { deep: JSON.parse('['.repeat(3_000) + ']'.repeat(3_000)) } },
          },
        ],
      },
      { pointer: '/devices/0', detail: /nested too deep/ },
    ],
  };
  for (const [name, [document, expected]] of Object.entries(refused)) {
    // proves requests/unknown-fields
    it(`422: refuses ${name}, points at it and changes nothing`, async () => {
      const [first] = await errorsOf(document);
      assert.equal(first?.pointer, expected.pointer);
      assert.match(first?.detail ?? '', expected.detail);
    });
  }

  it('422: refuses the valid entries together with a wrong one', async () => {
    const devices = [
      { accountName: ACCOUNT, imei: '990000000000052' },
      { accountName: ACCOUNT, imei: 'bad' },
    ];
    await errorsOf({ devices });
    assert.equal((await operator('GET', '/devices/imei/990000000000052')).statusCode, 404);
  });

  it('422: names the first hundred problems and stops reading', async () => {
    const devices = Array.from({ length: 5_000 }, () => ({ accountName: ACCOUNT, imei: 'bad' }));
    assert.equal((await errorsOf({ devices })).length, 100);
  });

  for (const body of ['', '[]', '{"devices": [', '{"devices": 5}', 'nonsense']) {
    it(`422: says what is wrong with ${JSON.stringify(body)}`, async () => {
      const answer = await operator('POST', '/import', body);
      assert.equal(answer.statusCode, 422, answer.body);
      assert.match(answer.body, /document|body/);
    });
  }

  const overlapping = (n: number) => ({
    devices: Array.from({ length: 50 }, (_, i) => ({
      accountName: ACCOUNT,
      imei: String(990000000100000 + ((i * 7 + n) % 50)),
      record: { name: `from ${n}` },
    })),
  });

  it('200: imports concurrent documents with the same devices without mixing them', async () => {
    const answers = await Promise.all([1, 2, 3].map((n) => post(overlapping(n))));
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [200, 200, 200],
    );
  });

  const skip = isOnCluster() && 'on few connections to a cluster they come one after the other';
  it('429: accepts three documents at a time, and says when to retry', { skip }, async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => post(overlapping(n))));
    const refusedOnes = answers.filter(({ statusCode }) => statusCode === 429);
    assert.equal(refusedOnes.length, 2);
    assert.equal(refusedOnes[0]?.headers['retry-after'], '5');
  });
});

describe('GET /operator/v1/export', () => {
  it('200: never contains a password, a secret or a hash', async () => {
    const text = JSON.stringify(await exported());
    for (const secret of ['ws-user-password', 'app-secret-1', 'scrypt', 'assword', 'ecret'])
      assert.ok(!text.includes(secret), secret);
  });

  it('200: for one account contains nothing of another', async () => {
    const text = JSON.stringify(await exported(`?accountName=${ACCOUNT}`));
    assert.ok(
      text.includes('990000000000011') && !text.includes('990000000000029') && !text.includes('stranger'),
    );
  });

  it('429: serves three readers at a time, and a refused one does not disturb the others', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => operator('GET', '/export')));
    const statuses = answers.map(({ statusCode }) => statusCode);
    assert.ok(statuses.includes(200) && statuses.includes(429), String(statuses));
    assert.equal((await operator('GET', '/export')).statusCode, 200);
  });

  it('404: for an unknown account', async () =>
    assert.equal((await operator('GET', '/export?accountName=1-1')).statusCode, 404));

  it('round trip: imported into an empty service it gives the same document', async () => {
    const document = await exported();
    const copy = await makeWorld();
    await copy.import(document);
    assert.deepEqual((await copy.operator('GET', '/export')).json(), document);
  });
});
