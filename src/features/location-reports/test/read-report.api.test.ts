import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, STRANGER, STRANGER_USER } from '../../../../test/support/fleet.ts';
import { byImei, imei, LOCATION_FLEET, placeOf } from '../../../../test/support/location-fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

const DAY_MS = 24 * 3_600_000;
const world = await makeWorld();
await world.import(LOCATION_FLEET);
const { call } = await asUser(world);
const stranger = await asUser(world, STRANGER_USER);
const { db } = world.ctx;

const create = (body: object) =>
  call('POST', '/loc/v1/locationreports', { accountName: ACCOUNT, cacheMode: '2', ...body });
async function created(body: object): Promise<{ txid: string; status: string }> {
  const answer = await create(body);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
}
const path = (txid: string, rest: string) => `/loc/v1/locationreports/${ACCOUNT}/report/${txid}${rest}`;
async function pageOf(txid: string, index = 0) {
  const answer = await call('GET', path(txid, `/index/${index}`));
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
}
const errorsOf = async (txid: string) =>
  (await pageOf(txid)).devLocationList.map(({ error }: { error: { type?: string } }) => error.type);
const change = (body: object) => call('POST', '/loc/v1/consents', { accountName: ACCOUNT, ...body });
const setLevel = (allDeviceConsent: number) =>
  call('PUT', '/loc/v1/devicelocations/action/consents', { accountName: ACCOUNT, allDeviceConsent });
const countOf = async (table: string) =>
  (await db.one<{ n: number }>({ text: `select count(*)::int as n from ${table}`, values: [] })).n;

describe('GET /loc/v1/locationreports/{a}/report/{txid}/index/{i}', () => {
  // proves location/when-consent-counts
  it('200: checks consent again for every page, and shows a position only while consent holds', async () => {
    const { txid } = await created({ deviceList: byImei(10, 11) });
    await world.engine.settle();
    await change({ exclusion: [imei(10)] });
    assert.deepEqual(await errorsOf(txid), ['SVC CONSENT CHECK FAILED', undefined]);
    await setLevel(3);
    assert.deepEqual(await errorsOf(txid), ['SVC CONSENT CHECK FAILED', 'SVC CONSENT CHECK FAILED']);
    await setLevel(2);
    await change({ allDevice: false, exclusion: [] });
    assert.deepEqual(await errorsOf(txid), [undefined, undefined]);
  });

  // proves location/what-a-page-shows
  it('200: reads as failed consent while a device is excluded, or denied only since the request, whatever the entry holds', async () => {
    const { txid } = await created({ deviceList: byImei(13, 30, 31, 32) });
    await world.engine.settle();
    const waiting = await created({ deviceList: byImei(14, 31) });
    const held = [undefined, 'ABSENT SUBSCRIBER', 'SVC DEVICE TYPE CHECK FAILED', 'UNKNOWN SUBSCRIBER'];
    const failed = Array(4).fill('SVC CONSENT CHECK FAILED');
    for (const [take, give] of [
      [() => change({ allDevice: true }), () => change({ allDevice: false })],
      [() => setLevel(3), () => setLevel(2)],
    ] as const) {
      assert.deepEqual([await errorsOf(txid), await errorsOf(waiting.txid)], [held, [undefined, held[2]]]);
      await take();
      assert.deepEqual([await errorsOf(txid), await errorsOf(waiting.txid)], [failed, failed.slice(2)]);
      assert.ok((await pageOf(txid)).devLocationList.every(({ pd }: { pd: object }) => !('x' in pd)));
      await give();
    }
    assert.deepEqual(await errorsOf(txid), held);
    await world.engine.settle();
  });

  // proves location/what-a-page-shows
  it('200: reads as not allowed if the level already denied it at the request, unless it is excluded now', async () => {
    const [denied, failed] = ['POSITIONING NOT ALLOWED', 'SVC CONSENT CHECK FAILED'];
    await setLevel(3);
    const { txid } = await created({ deviceList: byImei(15, 31) });
    await change({ exclusion: [imei(15)] });
    const both = await created({ deviceList: byImei(15) });
    assert.deepEqual([await errorsOf(txid), await errorsOf(both.txid)], [[failed, denied], [failed]]);
    await change({ allDevice: false, exclusion: [] });
    assert.deepEqual([await errorsOf(txid), await errorsOf(both.txid)], [[denied, denied], [denied]]);
    await setLevel(2);
    await world.engine.settle();
    assert.equal((await pageOf(txid)).devLocationList[0].error.type, undefined);
    await setLevel(3);
    assert.deepEqual(await errorsOf(txid), [denied, denied]);
    await setLevel(2);
    const allowed = await created({ deviceList: byImei(15) });
    await change({ exclusion: [imei(15)] });
    await setLevel(3);
    await change({ allDevice: false, exclusion: [] });
    assert.deepEqual(await errorsOf(allowed.txid), [failed]);
    await setLevel(2);
    await world.engine.settle();
  });

  it('200: has no empty entry once it is completed: after consent is given, a device reads as before until it is located and billed', async () => {
    await change({ exclusion: [imei(16)] });
    const { txid, status } = await created({ deviceList: byImei(16) });
    await world.engine.settle();
    assert.deepEqual([status, await errorsOf(txid)], ['COMPLETED', ['SVC CONSENT CHECK FAILED']]);
    const before = await countOf('service_transaction');
    await change({ allDevice: false, exclusion: [] });
    assert.deepEqual(await errorsOf(txid), ['SVC CONSENT CHECK FAILED']);
    await world.engine.settle();
    const [found] = (await pageOf(txid)).devLocationList;
    assert.deepEqual([found.pd.x, found.error], [String(placeOf(16).lat), {}]);
    await change({ exclusion: [imei(16)] });
    await change({ allDevice: false, exclusion: [] });
    await world.engine.settle();
    assert.deepEqual((await pageOf(txid)).devLocationList, [found]);
    assert.equal(await countOf('service_transaction'), before + 1);
  });

  // proves 2.4/startIndex 2.4/hasMoreData 2.4/totalCount 4.3/report-page 4.3/rule-5 8/report-answer
  // proves location/pages
  it('200: has pages of 1,000 in a stable order', async () => {
    const many = Array.from({ length: 2_345 }, (_, n) => ({
      accountName: ACCOUNT,
      imei: `8700000${String(n).padStart(8, '0')}`,
      mdn: `556${String(n).padStart(7, '0')}`,
    }));
    await world.import({ devices: many });
    const { txid } = await created({ deviceList: many.map(({ imei }) => ({ id: imei, kind: 'IMEI' })) });
    await world.engine.settle();
    const pages = [await pageOf(txid), await pageOf(txid, 1_000), await pageOf(txid, 2_000)];
    assert.deepEqual(
      pages.map(({ startIndex, totalCount, hasMoreData, devLocationList }) => [
        startIndex,
        totalCount,
        hasMoreData,
        devLocationList.length,
      ]),
      [
        ['0', 2_345, true, 1_000],
        ['1000', 2_345, true, 1_000],
        ['2000', 2_345, false, 345],
      ],
    );
    assert.deepEqual(
      pages.flatMap(({ devLocationList }) => devLocationList.map(({ msid }: { msid: string }) => msid)),
      many.map(({ mdn }) => mdn),
    );
    assert.ok(
      pages.every(({ devLocationList }) => devLocationList.every(({ pd }: { pd: { x?: string } }) => pd.x)),
    );
  });

  // proves 4.3/report-page
  it('400: an index that is not the number of an entry', async () => {
    const { txid } = await created({ cacheMode: '0', deviceList: byImei(1) });
    for (const index of ['1', '-1', 'x', '1.5', '99999999999', '%20', '0x1', '1e3', '+0', '-0']) {
      const answer = await call('GET', path(txid, `/index/${index}`));
      assert.equal(answer.statusCode, 400, index);
      assert.match(answer.json().errorMessage, /^Input Binding Error/, index);
    }
  });

  // proves 3/report-expires 8/report-archive location/pages refusals/not-found location/transaction-not-found
  it("400: a transaction that is unknown, malformed, another account's or expired", async () => {
    const { txid } = await created({ cacheMode: '0', deviceList: byImei(1) });
    const refused = async (answer: ReturnType<typeof call>) => {
      const { statusCode, json } = await answer;
      assert.deepEqual([statusCode, json().errorMessage], [400, 'Transaction not found']);
    };
    for (const unknown of ['00000000-0000-0000-0000-000000000000', 'nonsense', '%25'])
      for (const rest of ['/status', '/index/0', ''])
        await refused(call(rest === '' ? 'DELETE' : 'GET', path(unknown, rest)));
    const theirs = `/loc/v1/locationreports/${STRANGER}/report/${txid}`;
    await refused(stranger.call('GET', `${theirs}/status`));
    await refused(stranger.call('GET', `${theirs}/index/0`));
    await refused(stranger.call('DELETE', theirs));
    await world.engine.addRecurring();
    world.pass(30 * DAY_MS + 1);
    const later = (await asUser(world)).call;
    await refused(later('GET', path(txid, '/status')));
    await refused(later('GET', path(txid, '/index/0')));
    await world.engine.settle();
    const { n } = await db.one<{ n: number }>(
      sql`select count(*)::int as n from location_entry where txid = ${txid}`,
    );
    assert.equal(n, 0);
  });
});

describe('DELETE /loc/v1/locationreports/{a}/report/{txid}', () => {
  // proves location/cancelling
  it('200: cancels unsettled entries, whatever happens to their consent, and leaves settled ones unchanged', async () => {
    const user = await asUser(world);
    const send = (path: string, body: object) =>
      user.call('POST', path, { accountName: ACCOUNT, cacheMode: '2', ...body });
    await send('/loc/v1/consents', { exclusion: [imei(18)] });
    const { txid } = (await send('/loc/v1/locationreports', { deviceList: byImei(17, 18, 31) })).json();
    await user.call('DELETE', path(txid, ''));
    const errors = async () =>
      (await user.call('GET', path(txid, '/index/0')))
        .json()
        .devLocationList.map(({ error }: { error: { type?: string } }) => error.type);
    const [cancelled, failed] = ['CANCELLATION OF TRIGGERED LOCATION REQUEST', 'SVC CONSENT CHECK FAILED'];
    assert.deepEqual(await errors(), [cancelled, failed, 'SVC DEVICE TYPE CHECK FAILED']);
    await send('/loc/v1/consents', { exclusion: [imei(17)] });
    assert.deepEqual(await errors(), [failed, cancelled, 'SVC DEVICE TYPE CHECK FAILED']);
    await send('/loc/v1/consents', { allDevice: false, exclusion: [] });
    const before = await countOf('service_transaction');
    await world.engine.settle();
    assert.deepEqual(await errors(), [cancelled, cancelled, 'SVC DEVICE TYPE CHECK FAILED']);
    assert.equal(await countOf('service_transaction'), before);
  });

  // proves 3/report-cancelled 4.3/cancel location/cancelling
  it('200: cancels a queued report; nothing is located and nothing billed', async () => {
    const { call } = await asUser(world);
    const { txid } = (
      await call('POST', '/loc/v1/locationreports', {
        accountName: ACCOUNT,
        cacheMode: '2',
        deviceList: byImei(12),
      })
    ).json();
    const before = await countOf('service_transaction');
    const answer = await call('DELETE', path(txid, ''));
    assert.deepEqual([answer.statusCode, answer.json()], [200, { txid }]);
    await world.engine.settle();
    assert.equal((await call('GET', path(txid, '/status'))).json().status, 'CANCELLED');
    assert.equal(await countOf('service_transaction'), before);
    assert.equal((await call('DELETE', path(txid, ''))).json().errorMessage, 'Unable to Cancel');
  });

  for (const [status, ended] of [
    ['INPROGRESS', false],
    ['COMPLETED', true],
  ] as const) {
    // proves 3/report-in-progress 7.2/unable-to-cancel location/cancelling
    it(`400: cannot cancel a report that is ${status}`, async () => {
      const { call } = await asUser(world);
      const { txid } = (
        await call('POST', '/loc/v1/locationreports', {
          accountName: ACCOUNT,
          cacheMode: '2',
          deviceList: byImei(13),
        })
      ).json();
      if (ended) await world.engine.settle();
      else await db.exec(sql`update location_request set status = 'INPROGRESS' where txid = ${txid}`);
      const answer = await call('DELETE', path(txid, ''));
      assert.deepEqual([answer.statusCode, answer.json().errorMessage], [400, 'Unable to Cancel']);
      assert.equal((await call('GET', path(txid, '/status'))).json().status, status);
      await world.engine.settle();
    });
  }
});
