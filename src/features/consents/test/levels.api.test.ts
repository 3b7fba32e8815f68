import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, MANAGED, STRANGER } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import * as scene from './scene.ts';

const { call, db, refused, readAll, readLedger, operator } = await scene.makeScene();
const { TRUCK, BY_IMEI, BY_MEID, BY_ESN, FOREIGN_IMEI, UNKNOWN_IMEI } = scene;
const PATH = '/loc/v1/devicelocations/action/consents';
const put = (body: object, headers?: Record<string, string>) =>
  call('PUT', PATH, { accountName: ACCOUNT, ...body }, headers);
const post = (deviceList: unknown, more: object = {}) =>
  call('POST', PATH, { accountName: ACCOUNT, deviceList, ...more });
const read = async (query = '', accountName = ACCOUNT) =>
  (await call('GET', `${PATH}?accountName=${accountName}${query}`)).json();
const ok = async (answer: ReturnType<typeof call>) => {
  assert.equal((await answer).statusCode, 200, (await answer).body);
  return (await answer).json();
};
const device = (ids: object, consent: unknown = 1, kind = 'IMEI') => ({
  id: (ids as Record<string, string>)[kind.toLowerCase()],
  kind,
  consent,
});
const countJobs = async () =>
  (await db.one<{ n: number }>(sql`select count(*)::int as n from job where kind like 'consents.report-%'`))
    .n;
const denied = [401, 'INVALID_ACCESS', 'Access policy denied the operation'] as const;
const invalid = (message: string) => [400, 'INVALID_PARAMETER', message] as const;

describe('PUT /loc/v1/devicelocations/action/consents', () => {
  // proves 3/consent-level 4.3/consent-level consent/setting-the-level
  it('200: answers both spellings of the id, sets the level, and creates the job of its reports', async () => {
    const jobs = await countJobs();
    const answer = await ok(put({ allDeviceConsent: '1' }));
    assert.match(answer.transactionID, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.deepEqual(answer, {
      transactionID: answer.transactionID,
      transactionId: answer.transactionID,
      status: 'QUEUED',
    });
    assert.equal((await read()).allDeviceConsent, 1);
    assert.equal(await countJobs(), jobs + 1);
  });

  // proves 4.3/consent-level consent/setting-the-level
  it('200: accepts each level as text and as a number', async () => {
    for (const level of [0, 1, 2, 3]) {
      for (const given of [level, `${level}`]) {
        await ok(put({ allDeviceConsent: given }));
        assert.equal((await read()).allDeviceConsent, level);
      }
    }
  });

  // proves consent/setting-the-level
  it('200: ends the levels of single devices, with a ledger entry even if the level stays', async () => {
    await ok(put({ allDeviceConsent: 3 }));
    await ok(post([device(TRUCK, 0)]));
    assert.equal((await read()).deviceList.length, 1);
    const { length } = await readLedger();
    await ok(put({ allDeviceConsent: 3 }));
    assert.deepEqual((await read()).deviceList, []);
    assert.deepEqual((await readLedger()).slice(length), [
      { change: 'level-all', actor: 'ws-user', identifier: null, level: 3 },
    ]);
  });

  it('200: adds nothing to the ledger without a change', async () => {
    await ok(put({ allDeviceConsent: 2 }));
    const ledger = await readLedger();
    await ok(put({ allDeviceConsent: 2 }));
    assert.deepEqual(await readLedger(), ledger);
  });

  it('200: writes an audit entry, and answers the same transaction for a repeated Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'level' };
    const first = await ok(put({ allDeviceConsent: 0 }, key));
    await ok(put({ allDeviceConsent: 3 }));
    assert.deepEqual(await ok(put({ allDeviceConsent: 0 }, key)), first);
    assert.equal((await read()).allDeviceConsent, 3);
    const [entry] = (await operator('GET', '/audit?action=setAccountConsent')).json();
    assert.deepEqual([entry.actor, entry.accountName, entry.after.allDeviceConsent], ['ws-user', ACCOUNT, 3]);
  });

  const NO_LEVEL = invalid('Invalid consent level: allDeviceConsent is 0, 1, 2 or 3');
  for (const given of [4, -1, 1.5, '4', '', '01', '2 ', true, null, [], {}, [1]]) {
    // proves 4.3/consent-level consent/single-devices
    it(`400: refuses the level ${JSON.stringify(given)}, and nothing changes`, async () =>
      refused(put({ allDeviceConsent: given }), NO_LEVEL, await readAll()));
  }

  it('400: refuses an absent level, so that an omission never loosens a consent', async () =>
    refused(put({}), NO_LEVEL, await readAll()));

  // proves 7.2/conflicting-device-list consent/level-and-list
  it('400: refuses a level together with a device list', async () => {
    for (const deviceList of [[device(TRUCK)], {}, 'all'])
      await refused(
        put({ allDeviceConsent: 1, deviceList }),
        invalid('Conflicting device list: single devices are set with POST'),
        await readAll(),
      );
  });

  // proves consent/level-and-list
  it('200: counts a device list that is null or empty as absent, so levels that were read can be sent back', async () => {
    for (const deviceList of [null, []]) {
      await ok(put({ allDeviceConsent: 3 }));
      await ok(put({ allDeviceConsent: 1, deviceList }));
      assert.equal((await read()).allDeviceConsent, 1);
    }
    await ok(put(await read()));
  });

  // proves 4.3/rule-6 consent/unregistered-accounts
  it("400, 401: refuses accounts that are unknown, unregistered or not the caller's", async () => {
    const before = await readAll();
    const of = (accountName: string) => put({ accountName, allDeviceConsent: 1 });
    await refused(of('1-1'), invalid('Invalid account name'), before);
    await refused(of(MANAGED), invalid('Unregistered account'), before);
    await refused(of(STRANGER), denied, before);
  });
});

describe('POST /loc/v1/devicelocations/action/consents', () => {
  // proves consent/setting-the-level
  it('200: gives devices their own level, by any kind in any letter case, and leaves the others', async () => {
    await ok(put({ allDeviceConsent: 2 }));
    await ok(post([device(TRUCK, '0', 'meid'), { ...device(BY_IMEI, 1), mdn: BY_IMEI.mdn }]));
    const answer = await ok(post([device(BY_MEID, 3, 'MEID'), device(BY_ESN, 2, 'Esn')]));
    assert.deepEqual([answer.status, answer.transactionID], ['QUEUED', answer.transactionId]);
    const { allDeviceConsent, deviceList, hasMoreData } = await read();
    assert.deepEqual([allDeviceConsent, hasMoreData], [2, false]);
    const byId = deviceList.toSorted((a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id));
    assert.deepEqual(byId, [
      { id: BY_ESN.esn, kind: 'ESN', consent: 2 },
      { id: TRUCK.imei, kind: 'IMEI', mdn: TRUCK.mdn, consent: 0 },
      { id: BY_IMEI.imei, kind: 'IMEI', mdn: BY_IMEI.mdn, consent: 1 },
      { id: BY_MEID.meid, kind: 'MEID', consent: 3 },
    ]);
  });

  it('200: adds nothing to the ledger for a level that a device already has', async () => {
    const ledger = await readLedger();
    await ok(post([device(BY_IMEI, 1)]));
    assert.deepEqual(await readLedger(), ledger);
  });

  const NEVER_MADE = Array.from({ length: 10_000 }, (_, n) => String(860_000_000_000_000 + n));
  const REFUSALS: [string, unknown, string][] = [
    ['no devices', [], 'Empty device list'],
    ['an absent list', undefined, 'Input Binding Error: deviceList is required'],
    ['a list that is not an array', 'all', 'Input Binding Error: deviceList must be array'],
    [
      'a device without id',
      [{ kind: 'IMEI', consent: 1 }],
      'Input Binding Error: deviceList.0.id is required',
    ],
    [
      'more than 10,000',
      Array.from({ length: 10_001 }, () => device(TRUCK)),
      'Per request max devices exceeded',
    ],
    [
      '10,000 unknown devices',
      NEVER_MADE.map((imei) => device({ imei })),
      `Device not found: ${NEVER_MADE.slice(0, 10).join(', ')} and 9990 more`,
    ],
    [
      'an unknown device',
      [device(TRUCK), device({ imei: UNKNOWN_IMEI })],
      `Device not found: ${UNKNOWN_IMEI}`,
    ],
    ["another customer's device", [device({ imei: FOREIGN_IMEI })], `Device not found: ${FOREIGN_IMEI}`],
    [
      'an identifier under the wrong kind',
      [{ id: BY_ESN.esn, kind: 'MEID', consent: 1 }],
      'Invalid device ID format',
    ],
    [
      'an id of a kind that the device does not have',
      [{ ...device(BY_IMEI), kind: 'ESN' }],
      `Device not found: ${BY_IMEI.imei}`,
    ],
    [
      'a wrong number',
      [device(BY_IMEI), { ...device(TRUCK), mdn: BY_IMEI.mdn }],
      `Ownership or MDN validation failed: ${TRUCK.imei}`,
    ],
    [
      'a number for a device without one',
      [{ ...device(BY_MEID, 1, 'MEID'), mdn: '5550100113' }],
      `Ownership or MDN validation failed: ${BY_MEID.meid}`,
    ],
    [
      'a device twice',
      [device(TRUCK), device(BY_IMEI), device(TRUCK)],
      `Duplicate devices in deviceList. ${TRUCK.imei}`,
    ],
    [
      'two identifiers of one device',
      [device(TRUCK), device(BY_IMEI), device(TRUCK, 1, 'MEID')],
      `Duplicate devices in deviceList. ${TRUCK.imei}, ${TRUCK.meid}`,
    ],
    [
      'a kind that the location area does not use',
      [{ id: TRUCK.mdn, kind: 'mdn', consent: 1 }],
      'Invalid device kind',
    ],
    ['a malformed id', [device({ imei: '12x' })], 'Invalid device ID format'],
    ['an IMEI of 14 digits', [device({ imei: TRUCK.imei.slice(0, 14) })], 'Invalid device ID format'],
    ['an IMEI of 16 digits', [device({ imei: `${TRUCK.imei}0` })], 'Invalid device ID format'],
    ['an invalid level', [device(TRUCK, 4)], 'Invalid consent level: consent is 0, 1, 2 or 3'],
    ['an absent level', [{ id: TRUCK.imei, kind: 'IMEI' }], 'Invalid consent level: consent is 0, 1, 2 or 3'],
  ];
  for (const [what, deviceList, message] of REFUSALS) {
    it(`400: refuses ${what}, and nothing changes`, async () =>
      refused(post(deviceList), invalid(message), await readAll()));
  }

  // proves 4.3/rule-6 consent/unregistered-accounts
  it("400, 401: refuses accounts that are unknown, unregistered or not the caller's", async () => {
    const before = await readAll();
    const of = (accountName: string) => post([device(TRUCK)], { accountName });
    await refused(of('1-1'), invalid('Invalid account name'), before);
    await refused(of(MANAGED), invalid('Unregistered account'), before);
    await refused(of(STRANGER), denied, before);
  });
});

describe('GET /loc/v1/devicelocations/action/consents', () => {
  // proves consent/single-devices
  it('200: answers the level that applies to a device: its own, or else the account’s', async () => {
    await ok(put({ allDeviceConsent: 2 }));
    await ok(post([device(TRUCK, 0)]));
    assert.deepEqual(await read(`&deviceId=${TRUCK.esn}`), {
      accountName: ACCOUNT,
      allDeviceConsent: 2,
      deviceList: [{ id: TRUCK.imei, kind: 'IMEI', mdn: TRUCK.mdn, consent: 0 }],
      hasMoreData: false,
    });
    const { deviceList } = await read(`&deviceId=${BY_ESN.esn}`);
    assert.deepEqual(deviceList, [{ id: BY_ESN.esn, kind: 'ESN', consent: 2 }]);
  });

  it('200: answers no level if none is stored', async () => {
    await db.exec(sql`delete from consent where account_name = ${ACCOUNT}`);
    const { allDeviceConsent, deviceList } = await read(`&deviceId=${BY_ESN.esn}`);
    assert.deepEqual([allDeviceConsent, deviceList], [undefined, []]);
    await ok(put({ allDeviceConsent: 2 }));
  });

  it("400, 401: refuses devices and accounts that are unknown, malformed, unregistered or not the caller's", async () => {
    const before = await readAll();
    const get = (query: string) => call('GET', `${PATH}?${query}`);
    const one = `accountName=${ACCOUNT}&deviceId=`;
    await refused(get(`${one}${UNKNOWN_IMEI}`), invalid(`Device not found: ${UNKNOWN_IMEI}`), before);
    await refused(get(`${one}${FOREIGN_IMEI}`), invalid(`Device not found: ${FOREIGN_IMEI}`), before);
    await refused(get(`${one}x`), invalid('Invalid device ID format'), before);
    await refused(get('accountName=1-1'), invalid('Invalid account name'), before);
    await refused(get(`accountName=${MANAGED}`), invalid('Unregistered account'), before);
    await refused(get(`accountName=${STRANGER}`), denied, before);
    await refused(get(''), invalid('Input Binding Error: accountName is required'), before);
  });

  // proves consent/single-devices
  it('200: lists at most 10,000 devices, and the rest after the last one', async () => {
    await ok(put({ allDeviceConsent: 2 }));
    // Inserted as an import would do it; an import would take longer than all the rest.
    await db.exec(sql`
      with made as (
        insert into device (ecpd_id, device_id, account_name, kind, state, imei, iot, activated_by_sku, ota_updated, labels,
          record, simulation, foreign_id, created_on, last_updated, version, version_id)
        select ecpd_id, gen_random_uuid(), ${ACCOUNT}, 'device', 'active', (870000000000000 + n)::text, true, false, true, '[]',
          '{}', '{}', foreign_id, now(), now(), 1, gen_random_uuid()
        from profile, generate_series(1, 10002) n where ecpd_id = '9000001'
        returning ecpd_id, account_name, device_id, imei)
      insert into device_identifier (kind, value, ecpd_id, account_name, device_id)
      select 'imei', imei, ecpd_id, account_name, device_id from made`);
    await db.exec(sql`analyze device`);
    await db.exec(sql`
      insert into device_consent (ecpd_id, account_name, device_id, level)
      select ecpd_id, account_name, device_id, 3 from device where imei between '870000000000001' and '870000000010002'`);
    const first = await read();
    assert.deepEqual([first.deviceList.length, first.hasMoreData], [10_000, true]);
    const rest = await read(`&after=${first.deviceList.at(-1).id}`);
    assert.deepEqual([rest.deviceList.length, rest.hasMoreData], [2, false]);
    const ids = [...first.deviceList, ...rest.deviceList].map(({ id }) => id);
    assert.equal(new Set(ids).size, 10_002);
  });
});
