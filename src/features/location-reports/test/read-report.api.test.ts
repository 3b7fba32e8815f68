import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, STRANGER, STRANGER_USER } from '../../../../test/support/fleet.ts';
import { byImei, imei, LOCATION_FLEET } from '../../../../test/support/location-fleet.ts';
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
const countOf = async (table: string) =>
  (await db.one<{ n: number }>({ text: `select count(*)::int as n from ${table}`, values: [] })).n;

describe('GET /loc/v1/locationreports/{a}/report/{txid}/index/{i}', () => {
  it('200: checks consent again at every page, and lets a position go only while it holds', async () => {
    const { txid } = await created({ deviceList: byImei(10, 11) });
    await world.engine.settle();
    await call('POST', '/loc/v1/consents', { accountName: ACCOUNT, exclusion: [imei(10)] });
    assert.deepEqual(await errorsOf(txid), ['SVC CONSENT CHECK FAILED', undefined]);
    await call('PUT', '/loc/v1/devicelocations/action/consents', {
      accountName: ACCOUNT,
      allDeviceConsent: '3',
    });
    assert.deepEqual(await errorsOf(txid), ['SVC CONSENT CHECK FAILED', 'SVC CONSENT CHECK FAILED']);
    await call('PUT', '/loc/v1/devicelocations/action/consents', {
      accountName: ACCOUNT,
      allDeviceConsent: 2,
    });
    await call('POST', '/loc/v1/consents', { accountName: ACCOUNT, allDevice: false, exclusion: [] });
    assert.deepEqual(await errorsOf(txid), [undefined, undefined]);
  });

  it('200: pages by 1,000 in an order that stays', async () => {
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

  it('400: an index that is no number of an entry', async () => {
    const { txid } = await created({ cacheMode: '0', deviceList: byImei(1) });
    for (const index of ['1', '-1', 'x', '1.5', '99999999999', '%20', '0x1', '1e3', '+0', '-0']) {
      const answer = await call('GET', path(txid, `/index/${index}`));
      assert.equal(answer.statusCode, 400, index);
      assert.match(answer.json().errorMessage, /^Input Binding Error/, index);
    }
  });

  it("400: a transaction that is unknown, malformed, another account's, or has expired", async () => {
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
    world.pass(30 * DAY_MS + 1);
    const later = (await asUser(world)).call;
    await refused(later('GET', path(txid, '/status')));
    await refused(later('GET', path(txid, '/index/0')));
    await world.engine.addRecurring();
    await world.engine.settle();
    const { n } = await db.one<{ n: number }>(
      sql`select count(*)::int as n from location_entry where txid = ${txid}`,
    );
    assert.equal(n, 0);
  });
});

describe('DELETE /loc/v1/locationreports/{a}/report/{txid}', () => {
  it('200: cancels a report that is queued; nothing is asked for and nothing billed', async () => {
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
