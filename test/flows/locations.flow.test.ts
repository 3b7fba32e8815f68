import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, STRANGER } from '../support/fleet.ts';
import { byImei, imei, mdn, placeOf } from '../support/location-fleet.ts';
import { makeLocationScene } from '../support/location-scene.ts';

const { world, call, reports, devices, post, work, simulate, exclude, pageOf, billedFor, heardOf } =
  await makeLocationScene();
const { db } = world.ctx;

describe('a location report', () => {
  // proves location/instant-reports
  it('notifies the Location listener once when it is completed, but not if the cache had everything', async () => {
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
  it('locates an offline device when it comes back, changes its entry, bills it and notifies the listener', async () => {
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
  it('tries absent devices every hour, bills a device that several requests wait for once, and stops after 30 days', async () => {
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
  it('does not locate a device whose consent was withdrawn after the request', async () => {
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
  it('sends one callback for each device, located or not, all with its transaction id', async () => {
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
  it('withholds a position in each attempt after its consent is withdrawn, also in re-sends and in the log', async () => {
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

  it('reports a device that its level denies as not allowed, in every attempt', async () => {
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
