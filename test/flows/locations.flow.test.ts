import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, asUser, STRANGER } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import { byImei, imei, LOCATION_FLEET, mdn, placeOf } from '../support/location-fleet.ts';
import { makeWorld } from '../support/world.ts';

const world = await makeWorld({ env: { LINEKEEPER_LOGIN_RATE: '0' } });
await world.import(LOCATION_FLEET);
await world.engine.addRecurring();
/** Time passes here, and sessions end with it: each call has its own. */
const call = async (method: string, path: string, body?: unknown) =>
  (await asUser(world)).call(method, path, body);
const { db } = world.ctx;
const [reports, devices] = [await openListener(), await openListener()];
for (const [name, url] of [
  ['Location', reports.url],
  ['DeviceLocation', devices.url],
]) {
  const answer = await call('POST', `/loc/v1/callbacks/${ACCOUNT}`, { name, url });
  assert.equal(answer.statusCode, 200, answer.body);
}

const post = async (path: string, body: object) => {
  const answer = await call('POST', `/loc/v1/${path}`, { accountName: ACCOUNT, cacheMode: '2', ...body });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const work = async () => {
  await world.engine.settle();
  await world.delivery.settle();
};
const simulate = async (n: number, patch: object) => {
  const answer = await world.operator('PATCH', `/devices/imei/${imei(n)}/simulation`, patch);
  assert.equal(answer.statusCode, 200, answer.body);
};
const exclude = (...numbers: number[]) =>
  call('POST', '/loc/v1/consents', {
    accountName: ACCOUNT,
    ...(numbers.length === 0 ? { allDevice: false, exclusion: [] } : { exclusion: numbers.map(imei) }),
  });
const pageOf = async (txid: string) =>
  (await call('GET', `/loc/v1/locationreports/${ACCOUNT}/report/${txid}/index/0`)).json().devLocationList;
const billedFor = async (txid: string) =>
  (
    await db.one<{ n: number }>(
      sql`select count(*)::int as n from service_transaction where request_ref = ${txid}`,
    )
  ).n;
/** What a listener heard about a request, without what belongs to an attempt. */
const heardOf = (listener: typeof reports, txid: string) =>
  listener.heard.filter(({ text }) => text.includes(txid)).map(({ body }) => body);

describe('a location report', () => {
  // proves location/instant-reports
  it('tells the Location listener once when it is completed, and not when the cache had it all', async () => {
    const { txid } = await post('locationreports', { deviceList: byImei(1, 2) });
    await work();
    assert.deepEqual(heardOf(reports, txid), [
      {
        accountName: ACCOUNT,
        txid,
        status: 'COMPLETED',
        totalCount: 2,
        callbackCount: 1,
        maxCallbackThreshold: 4,
      },
    ]);
    const cached = await post('locationreports', { cacheMode: '0', deviceList: byImei(1, 2) });
    await work();
    assert.deepEqual([cached.status, heardOf(reports, cached.txid)], ['COMPLETED', []]);
  });

  // proves 7.3/offline-devices location/absent-devices
  it('locates an offline device again when it comes back, changes its entry, bills it and says so', async () => {
    const { txid } = await post('locationreports', { deviceList: byImei(30, 3) });
    await work();
    assert.equal((await pageOf(txid))[0].error.type, 'ABSENT SUBSCRIBER');
    assert.deepEqual([heardOf(reports, txid).length, await billedFor(txid)], [1, 1]);
    await simulate(30, { online: true });
    await work();
    const [back] = await pageOf(txid);
    assert.deepEqual([back.pd.x, back.error], [String(placeOf(30).lat), {}]);
    assert.deepEqual([heardOf(reports, txid).length, await billedFor(txid)], [2, 2]);
    await simulate(30, { online: false });
  });

  // proves location/absent-devices
  it('asks for absent devices every hour, bills a device that several requests wait for once, and stops after 30 days', async () => {
    const first = await post('locationreports', { deviceList: byImei(30) });
    world.pass(1);
    const second = await post('locationreports', { deviceList: byImei(30) });
    await work();
    await db.exec(
      sql`update device set simulation = simulation || '{"online": true}' where imei = ${imei(30)}`,
    );
    world.pass(3_600_001);
    await work();
    for (const { txid } of [first, second]) assert.deepEqual((await pageOf(txid))[0].error, {});
    assert.deepEqual([await billedFor(first.txid), await billedFor(second.txid)], [1, 0]);
    await simulate(30, { online: false });
    const third = await post('locationreports', { deviceList: byImei(30) });
    await work();
    world.pass(30 * 24 * 3_600_000 + 1);
    await simulate(30, { online: true });
    await work();
    assert.equal(await billedFor(third.txid), 0);
    await simulate(30, { online: false });
  });

  // proves 4.3/rule-6
  it('does not locate a device whose consent was withdrawn after it was asked for', async () => {
    const { txid } = (
      await call('POST', '/loc/v1/locationreports', {
        accountName: ACCOUNT,
        cacheMode: '2',
        deviceList: byImei(4, 5),
      })
    ).json();
    await call('POST', '/loc/v1/consents', { accountName: ACCOUNT, exclusion: [imei(4)] });
    await work();
    assert.equal((await pageOf(txid))[0].error.type, 'SVC CONSENT CHECK FAILED');
    assert.deepEqual([await billedFor(txid), heardOf(reports, txid).length], [1, 1]);
    await exclude();
    await work();
    assert.equal((await pageOf(txid))[0].pd.x, String(placeOf(4).lat));
    assert.deepEqual([await billedFor(txid), heardOf(reports, txid).length], [2, 2]);
  });
});

describe('a request for device locations', () => {
  it('answers each device by a callback of its own, located or not, all under its transaction', async () => {
    const { txid } = (
      await call('POST', '/loc/v1/devicelocations', {
        accountName: ACCOUNT,
        cacheMode: '2',
        deviceList: byImei(6, 30, 31),
      })
    ).json();
    await work();
    const heard = heardOf(devices, txid);
    assert.equal(heard.length, 3);
    const located = heard.find(({ message }) => message !== undefined)!;
    assert.deepEqual(
      [located['appName'], located['addressScheme'], located['message']],
      [
        'Linekeeper',
        'IMEI',
        {
          accountName: ACCOUNT,
          transactionID: txid,
          reportType: 'LOCATION_REPORT',
          status: 'SUCCESS',
          deviceList: [
            {
              msid: mdn(6),
              pd: {
                x: String(placeOf(6).lat),
                y: String(placeOf(6).lon),
                radius: '106',
                qos: false,
                time: world.ctx.now().toISOString().slice(0, 19).replaceAll(/[-:T]/g, ''),
              },
              error: {},
            },
          ],
        },
      ],
    );
    const failures = heard.flatMap(({ message, deviceList }) =>
      message === undefined
        ? (deviceList as { error: { type: string } }[]).map(({ error }) => error.type)
        : [],
    );
    assert.deepEqual(failures.sort(), ['ABSENT SUBSCRIBER', 'SVC DEVICE TYPE CHECK FAILED']);
    assert.equal(await billedFor(txid), 1);
  });

  // proves location/when-consent-counts
  it('withholds a position at each attempt once its consent is gone, also when it is re-sent, and in the log', async () => {
    const errorOf = (body: Record<string, unknown>) =>
      (body['deviceList'] as { error: { type: string } }[] | undefined)?.[0]?.error.type;
    devices.answer = 500;
    const { txid } = (
      await call('POST', '/loc/v1/devicelocations', {
        accountName: ACCOUNT,
        cacheMode: '2',
        deviceList: byImei(7),
      })
    ).json();
    await work();
    assert.ok(heardOf(devices, txid)[0]!['message'], 'the first attempt carries the position');
    await exclude(7);
    for (let n = 0; n < 3; n++) {
      world.pass(300_000);
      await work();
    }
    const heard = heardOf(devices, txid);
    assert.deepEqual(
      heard.map((body) => [body['callbackCount'], errorOf(body)]),
      [
        [1, undefined],
        [2, 'SVC CONSENT CHECK FAILED'],
        [3, 'SVC CONSENT CHECK FAILED'],
        [4, 'SVC CONSENT CHECK FAILED'],
      ],
    );
    const log = (await call('GET', `/m2m/v1/callbacks/${ACCOUNT}/deliveries?requestId=${txid}`)).json();
    assert.equal(errorOf(log[0].payload), 'SVC CONSENT CHECK FAILED');
    const operatorLog = (await world.operator('GET', `/callbacks?requestId=${txid}`)).json();
    assert.equal(errorOf(operatorLog[0].payload), 'SVC CONSENT CHECK FAILED');
    devices.answer = 200;
    assert.equal(
      (await call('POST', `/m2m/v1/callbacks/${ACCOUNT}/resend`, { requestId: txid })).json().resent,
      1,
    );
    await work();
    assert.equal(errorOf(heardOf(devices, txid).at(-1)!), 'SVC CONSENT CHECK FAILED');
    await exclude();
  });

  it('says of a device that its level denies that it is not allowed, at every attempt', async () => {
    const level = (consent: number) =>
      call('POST', '/loc/v1/devicelocations/action/consents', {
        accountName: ACCOUNT,
        deviceList: [{ id: imei(12), kind: 'IMEI', consent }],
      });
    assert.equal((await level(3)).statusCode, 200);
    devices.answer = 500;
    const { txid } = await post('devicelocations', { deviceList: byImei(12) });
    await work();
    devices.answer = 200;
    world.pass(300_000);
    await work();
    const errors = heardOf(devices, txid).map(
      ({ deviceList }) => (deviceList as { error: { type: string } }[])[0]?.error.type,
    );
    assert.deepEqual(errors, ['POSITIONING NOT ALLOWED', 'POSITIONING NOT ALLOWED']);
    await level(2);
  });

  it('can be cancelled while it is queued, after which nothing is located', async () => {
    const { txid } = (
      await call('POST', '/loc/v1/devicelocations', {
        accountName: ACCOUNT,
        cacheMode: '2',
        deviceList: byImei(8),
      })
    ).json();
    const cancel = (account: string) =>
      call('DELETE', `/loc/v1/devicelocations/${txid}?accountName=${account}`);
    assert.equal((await cancel(STRANGER)).statusCode, 401);
    assert.equal(
      (await call('DELETE', `/loc/v1/devicelocations/${txid}?accountname=${STRANGER}`)).statusCode,
      401,
    );
    const lower = await call('DELETE', `/loc/v1/devicelocations/${txid}?accountname=${ACCOUNT}`);
    assert.deepEqual(lower.json(), { txid }, 'the name of the query is read in any letter case');
    await work();
    assert.deepEqual(heardOf(devices, txid), []);
    assert.equal((await cancel(ACCOUNT)).json().errorMessage, 'Unable to Cancel');
  });
});

describe('an excluded device that was deleted and comes back', () => {
  it('is told by nobody: neither where it is, nor from the cache, a report or a callback', async () => {
    await exclude(11);
    assert.equal((await world.operator('DELETE', `/devices/imei/${imei(11)}`)).statusCode, 200);
    await world.import({ devices: LOCATION_FLEET.devices.filter((one) => one.imei === imei(11)) });
    const fed = { kind: 'imei', device: imei(11), ...placeOf(11), at: world.ctx.now().toISOString() };
    assert.equal((await world.operator('POST', '/positions', [fed])).json().accepted, 1);
    for (const cacheMode of ['0', '1', '2']) {
      const body = { accountName: ACCOUNT, cacheMode, deviceList: byImei(11) };
      assert.equal(
        (await call('POST', '/loc/v1/locations', body)).json().errorMessage,
        'Consent check failed',
      );
      const { txid } = await post('locationreports', body);
      const told = await post('devicelocations', body);
      await work();
      assert.equal((await pageOf(txid))[0].error.type, 'SVC CONSENT CHECK FAILED');
      const heard = JSON.stringify(heardOf(devices, told.txid));
      assert.ok(heard.includes('SVC CONSENT CHECK FAILED') && !heard.includes('SUCCESS'), heard);
    }
    await exclude();
    const { txid } = await post('locationreports', { deviceList: byImei(11) });
    await work();
    assert.equal((await pageOf(txid))[0].pd.x, String(placeOf(11).lat));
  });
});

describe('erasing positions', () => {
  it('takes them out of the cache, reports and callbacks, and leaves other devices theirs', async () => {
    const locate = async (path: string) =>
      (
        await call('POST', `/loc/v1/${path}`, {
          accountName: ACCOUNT,
          cacheMode: '2',
          deviceList: byImei(9, 10),
        })
      ).json().txid;
    const [report, messages] = [await locate('locationreports'), await locate('devicelocations')];
    await work();
    const answer = await world.operator('DELETE', `/devices/imei/${imei(9)}/positions`);
    assert.ok(answer.json().erased >= 4, answer.body);
    const { devLocationList } = (
      await call('GET', `/loc/v1/locationreports/${ACCOUNT}/report/${report}/index/0`)
    ).json();
    assert.equal(devLocationList[0].error.type, 'SVC DEVICE LOCATION DATA UNAVAILABLE');
    assert.equal(devLocationList[1].pd.x, String(placeOf(10).lat));
    const log = (await world.operator('GET', `/callbacks?requestId=${messages}`)).body;
    assert.ok(!log.includes(String(placeOf(9).lat)) && log.includes(String(placeOf(10).lat)), log);
    const cached = await call('POST', '/loc/v1/locations', {
      accountName: ACCOUNT,
      cacheMode: '0',
      deviceList: byImei(9),
    });
    assert.equal(cached.json().errorCode, 'CACHE_UNAVAILABLE');
  });
});
