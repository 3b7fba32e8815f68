import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, asUser, MANAGED, SMALL_FLEET, USER } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import { makeWorld } from '../support/world.ts';

const PATH = '/loc/v1/devicelocations/action/consents';
const TRUCK = { imei: '990000000000111', meid: 'A0000012345671', mdn: '5550100111' };
const VAN = { imei: '990000000000112', mdn: '5550100112' };
const METER = { meid: 'A0000012345673' };
const SENSOR = { mac: '00:11:22:33:44:55', kind: 'sensor' };

async function makeScene(devices: readonly object[] = [TRUCK, VAN, METER, SENSOR]) {
  const world = await makeWorld();
  await world.import({
    ...SMALL_FLEET,
    accounts: SMALL_FLEET.accounts.map((account) => ({ ...account, locationRegistered: true })),
    users: [{ ...USER, accounts: [ACCOUNT, MANAGED] }],
    devices: devices.map((ids) => ({ accountName: ACCOUNT, ...ids })),
  });
  const listener = await openListener();
  const { call } = await asUser(world);
  for (const accountName of [ACCOUNT, MANAGED]) {
    const body = { name: 'consentEnableReport', url: listener.url, username: 'me', password: 'word' };
    assert.equal((await call('POST', `/loc/v1/callbacks/${accountName}`, body)).statusCode, 200);
  }
  const ask = async (method: 'PUT' | 'POST', body: object): Promise<string> => {
    const answer = await call(method, PATH, { accountName: ACCOUNT, ...body });
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json().transactionID;
  };
  /** Runs all due work, and returns the callbacks since the last time. */
  const hear = async () => {
    const from = listener.heard.length;
    await world.engine.settle();
    await world.delivery.settle();
    return listener.heard.slice(from);
  };
  return { ...world, call, ask, hear };
}

const byId = <D extends { id: string }>(list: D[]) => list.toSorted((a, b) => a.id.localeCompare(b.id));
const listOf = (body: Record<string, unknown>) =>
  (body['message'] as { deviceList: { id: string; consent: number }[] }).deviceList;

describe('the reports of a new consent level', () => {
  // proves 6.3/consent-report
  it('about coarse location: one callback with every device that has an identifier in the location area', async () => {
    const { ask, hear } = await makeScene();
    const transactionID = await ask('PUT', { allDeviceConsent: '2' });
    const [{ body } = assert.fail('nothing arrived'), ...others] = await hear();
    assert.deepEqual(others, []);
    const { message, ...envelope } = body as { message: { deviceList: { id: string }[] } };
    assert.deepEqual(envelope, {
      username: 'me',
      password: 'word',
      appName: 'Linekeeper',
      addressScheme: 'IMEI',
      callbackCount: 1,
      maxCallbackThreshold: 4,
    });
    assert.deepEqual(
      { ...message, deviceList: byId(message.deviceList) },
      {
        accountName: ACCOUNT,
        transactionID,
        reportType: 'CONSENT_RESPONSE',
        status: 'SUCCESS',
        allDeviceConsent: '2',
        deviceList: [
          { id: TRUCK.imei, kind: 'IMEI', mdn: TRUCK.mdn, consent: 2 },
          { id: VAN.imei, kind: 'IMEI', mdn: VAN.mdn, consent: 2 },
          { id: METER.meid, kind: 'MEID', consent: 2 },
        ],
      },
    );
  });

  // proves 3/consent-level 6.3/consent-report 8/consent-callback consent/consent-reports
  it('about precise location: one callback for each device, all with the same transaction id', async () => {
    const { ask, hear, call } = await makeScene();
    const transactionID = await ask('PUT', { allDeviceConsent: 1 });
    const heard = await hear();
    const devices = heard.flatMap(({ body }) => listOf(body));
    assert.deepEqual(
      [heard.length, byId(devices).map(({ id, consent }) => [id, consent])],
      [3, [TRUCK.imei, VAN.imei, METER.meid].map((id) => [id, 1])],
    );
    for (const { body } of heard)
      assert.equal((body['message'] as { transactionID: string }).transactionID, transactionID);
    const deliveries = await call(
      'GET',
      `/m2m/v1/callbacks/${ACCOUNT}/deliveries?requestId=${transactionID}`,
    );
    assert.equal(deliveries.json().length, 3);
  });

  // proves 6.3/consent-report 8/consent-callback consent/consent-reports
  it('come in parts of 10,000 devices, each device once', async () => {
    const imeis = Array.from({ length: 10_003 }, (_, i) => String(870_000_000_000_000 + i));
    const { ask, hear } = await makeScene(imeis.map((imei) => ({ imei })));
    await ask('PUT', { allDeviceConsent: 3 });
    const lists = (await hear()).map(({ body }) => listOf(body));
    assert.deepEqual(lists.map(({ length }) => length).toSorted(), [10_000, 3]);
    assert.deepEqual(lists.flatMap((list) => list.map(({ id }) => id)).toSorted(), imeis);
  });

  it('are a single one with an empty list for an account without devices', async () => {
    const { ask, hear } = await makeScene();
    for (const allDeviceConsent of [0, 3]) {
      await ask('PUT', { accountName: MANAGED, allDeviceConsent });
      const heard = await hear();
      assert.deepEqual(
        heard.map(({ body }) => listOf(body)),
        [[]],
      );
    }
  });

  it('are not sent if the account was deleted in the meantime', async () => {
    const { ask, engine, operator, ctx } = await makeScene();
    await ask('PUT', { allDeviceConsent: 1 });
    await operator('DELETE', `/accounts/${ACCOUNT}`);
    await engine.settle();
    const left = await ctx.db.many(sql`select from callback_message`);
    const unfinished = await ctx.db.many(
      sql`select from job where kind like 'consents.%' and state <> 'done'`,
    );
    assert.deepEqual([left.length, unfinished.length], [0, 0]);
  });
});

describe('the reports of levels of single devices', () => {
  const deviceList = [
    { id: TRUCK.meid, kind: 'meid', consent: 0 },
    { id: VAN.imei, kind: 'imei', mdn: VAN.mdn, consent: 3 },
    { id: METER.meid, kind: 'MEID', consent: '2' },
  ];
  const truck = { id: TRUCK.meid, kind: 'MEID', mdn: TRUCK.mdn, consent: 0 };
  const van = { id: VAN.imei, kind: 'IMEI', mdn: VAN.mdn, consent: 3 };
  const meter = { id: METER.meid, kind: 'MEID', consent: 2 };

  it('have the devices as they were named, each precise one separately and the others together', async () => {
    const { ask, hear } = await makeScene();
    const transactionID = await ask('POST', { deviceList });
    const heard = (await hear()).map(({ body }) => body['message'] as Record<string, unknown>);
    const [first, second, ...others] = heard.toSorted(
      (a, b) => (a['deviceList'] as []).length - (b['deviceList'] as []).length,
    );
    assert.deepEqual([first?.['deviceList'], second?.['deviceList'], others], [[truck], [van, meter], []]);
    assert.deepEqual(
      [first?.['transactionID'], second?.['transactionID'], first?.['allDeviceConsent']],
      [transactionID, transactionID, '2'],
    );
  });

  // proves 6.3/consent-report consent/failed-reports
  it('have an error at the top level for a device deleted in the meantime, and the others succeed', async () => {
    const { ask, hear, operator } = await makeScene();
    const transactionID = await ask('POST', { deviceList });
    assert.equal((await operator('DELETE', `/devices/imei/${TRUCK.imei}`)).statusCode, 200);
    assert.equal((await operator('DELETE', `/devices/imei/${VAN.imei}`)).statusCode, 200);
    const heard = (await hear()).map(({ body }) => body);
    const error = {
      type: 'INTERNAL ERROR',
      info: 'The device was deleted before its consent could be confirmed.',
    };
    const { mdn: _, ...goneTruck } = truck;
    const { mdn: __, ...goneVan } = van;
    const failures = heard.filter((body) => body['status'] === 'FAILED');
    assert.deepEqual(
      failures
        .flatMap((body) => body['deviceList'] as { id: string }[])
        .toSorted((a, b) => a.id.localeCompare(b.id)),
      [
        { ...goneVan, error },
        { ...goneTruck, error },
      ],
    );
    for (const body of failures) {
      assert.deepEqual(
        [body['transactionID'], body['reportType'], body['accountName'], body['username'], 'message' in body],
        [transactionID, 'CONSENT_RESPONSE', ACCOUNT, 'me', false],
      );
    }
    assert.deepEqual(heard.filter((body) => 'message' in body).map(listOf), [[meter]]);
    assert.equal(heard.length, 3);
  });
});
