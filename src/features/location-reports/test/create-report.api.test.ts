import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, MANAGED, STRANGER } from '../../../../test/support/fleet.ts';
import {
  byImei,
  imei,
  LOCATION_FLEET,
  limited,
  mdn,
  placeOf,
} from '../../../../test/support/location-fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

const world = await makeWorld();
await world.import(LOCATION_FLEET);
const { call } = await asUser(world);
const { db } = world.ctx;

const create = (body: object) =>
  call('POST', '/loc/v1/locationreports', { accountName: ACCOUNT, cacheMode: '2', ...body });
async function created(body: object): Promise<{ txid: string; status: string }> {
  const answer = await create(body);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
}
const path = (txid: string, rest: string) => `/loc/v1/locationreports/${ACCOUNT}/report/${txid}${rest}`;
const statusOf = async (txid: string) => (await call('GET', path(txid, '/status'))).json().status;
async function pageOf(txid: string, index = 0) {
  const answer = await call('GET', path(txid, `/index/${index}`));
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
}
const errorsOf = async (txid: string) =>
  (await pageOf(txid)).devLocationList.map(({ error }: { error: { type?: string } }) => error.type);
const countOf = async (table: string) =>
  (await db.one<{ n: number }>({ text: `select count(*)::int as n from ${table}`, values: [] })).n;

describe('POST /loc/v1/locationreports', () => {
  describe('200', () => {
    // proves 2.4/txid 2.4/devLocationList 4.10/reports
    it('is queued, then completed by a worker, with every device in the order of the request', async () => {
      const { txid, status } = await created({ deviceList: byImei(2, 1, 30) });
      assert.deepEqual([status, await statusOf(txid)], ['QUEUED', 'QUEUED']);
      await world.engine.settle();
      assert.equal(await statusOf(txid), 'COMPLETED');
      const { devLocationList, ...page } = await pageOf(txid);
      assert.deepEqual(page, { startIndex: '0', txid, totalCount: 3, hasMoreData: false });
      assert.deepEqual(
        devLocationList.map(({ msid, pd, error }: { msid: string; pd: { x?: string }; error: object }) => [
          msid,
          pd.x,
          (error as { type?: string }).type,
        ]),
        [
          [mdn(2), String(placeOf(2).lat), undefined],
          [mdn(1), String(placeOf(1).lat), undefined],
          [mdn(30), undefined, 'ABSENT SUBSCRIBER'],
        ],
      );
    });

    // proves location/instant-reports
    it('is completed at once if the cache has everything, and says where each position came from', async () => {
      const { txid, status } = await created({ cacheMode: '1', deviceList: byImei(1, 2) });
      assert.equal(status, 'COMPLETED');
      const { devLocationList } = await pageOf(txid);
      assert.deepEqual(
        devLocationList.map(({ pd }: { pd: { cacheMode: string } }) => pd.cacheMode),
        ['2', '2'],
      );
    });

    // proves 4.3/rule-1 location/request-or-entry location/deactivated-lines
    it('gives the failure of each device that cannot be located, and locates the others', async () => {
      await call('POST', '/loc/v1/consents', { accountName: ACCOUNT, exclusion: [imei(5)] });
      const { txid } = await created({ cacheMode: '0', deviceList: byImei(1, 5, 31, 32, 25) });
      assert.equal(await statusOf(txid), 'COMPLETED');
      assert.deepEqual(await errorsOf(txid), [
        undefined,
        'SVC CONSENT CHECK FAILED',
        'SVC DEVICE TYPE CHECK FAILED',
        'UNKNOWN SUBSCRIBER',
        'SVC CACHE UNAVAILABLE',
      ]);
      await call('POST', '/loc/v1/consents', { accountName: ACCOUNT, allDevice: false, exclusion: [] });
    });

    // proves location/request-or-entry
    it('answers precise requests with only coarse consent as not allowed', async () => {
      const { txid } = await created({ accuracyMode: '1', deviceList: byImei(1) });
      assert.deepEqual(await errorsOf(txid), ['POSITIONING NOT ALLOWED']);
    });

    // proves 2.4/pd location/pages
    it('shows waiting devices as empty, so that pages are the same from the beginning', async () => {
      const { txid } = await created({ deviceList: byImei(3, 4) });
      assert.deepEqual((await pageOf(txid)).devLocationList, [
        { msid: mdn(3), pd: {}, error: {} },
        { msid: mdn(4), pd: {}, error: {} },
      ]);
      await world.engine.settle();
      assert.deepEqual(await errorsOf(txid), [undefined, undefined]);
    });

    // proves location/billing
    it('is billed once for each position found, and not for failures', async () => {
      const before = await countOf('service_transaction');
      await created({ deviceList: byImei(6, 7, 30, 31) });
      await world.engine.settle();
      assert.equal(await countOf('service_transaction'), before + 2);
    });

    it('does not repeat the request when it is sent again with the same key', async () => {
      const body = { accountName: ACCOUNT, cacheMode: '2', deviceList: byImei(8) };
      const send = () => call('POST', '/loc/v1/locationreports', body, { 'idempotency-key': 'once' });
      const [first, second] = [await send(), await send()];
      assert.deepEqual(second.json(), first.json());
      await world.engine.settle();
    });
  });

  describe('400', () => {
    const tenThousandAndOne = Array.from({ length: 10_001 }, (_, n) => ({
      id: `8800000${String(n).padStart(8, '0')}`,
      kind: 'IMEI',
    }));
    const rows: [string, object, string][] = [
      ['10,001 devices', { deviceList: tenThousandAndOne }, 'Per request max devices exceeded'],
      ['no devices', { deviceList: [] }, 'Empty device list'],
      ['a device twice', { deviceList: byImei(1, 1) }, `Duplicate devices in deviceList. ${imei(1)}`],
      ['an unknown device among known ones', { deviceList: byImei(1, 99) }, `Device not found: ${imei(99)}`],
      ["another customer's device", { deviceList: byImei(1, 40) }, `Device not found: ${imei(40)}`],
      ['a wrong kind', { deviceList: [{ id: mdn(1), kind: 'mdn' }] }, 'Invalid device kind'],
      ['a malformed id', { deviceList: [{ id: 'x', kind: 'ESN' }] }, 'Invalid device ID format'],
      ['a wrong mode', { accuracyMode: 'exact', deviceList: byImei(1) }, 'Invalid accuracy mode.'],
      [
        'an account that is not registered',
        { accountName: MANAGED, deviceList: byImei(1) },
        'Unregistered account',
      ],
    ];
    for (const [what, body, message] of rows) {
      // proves 7.2/max-devices-exceeded 8/location-request
      it(`refuses ${what}, stores nothing and bills nothing`, async () => {
        const tables = ['location_request', 'location_entry', 'service_transaction'];
        const before = await Promise.all(tables.map(countOf));
        const answer = await create(body);
        assert.deepEqual([answer.statusCode, answer.json().errorCode], [400, 'INVALID_PARAMETER']);
        assert.ok(answer.json().errorMessage.startsWith(message), answer.body);
        assert.deepEqual(await Promise.all(tables.map(countOf)), before);
      });
    }

    // proves location/named-identifiers
    it('names the first ten of many wrong devices, in the order of the request, and counts the rest', async () => {
      const unknown = Array.from({ length: 8_999 }, (_, n) => n + 1_000);
      const refusal = async (numbers: number[]) =>
        (await create({ deviceList: byImei(...numbers) })).json().errorMessage;
      const ten = unknown.slice(0, 10).map(imei).join(', ');
      assert.equal(await refusal([1, ...unknown]), `Device not found: ${ten} and 8989 more`);
      assert.equal(await refusal([...unknown.slice(0, 11), 1]), `Device not found: ${ten} and 1 more`);
      assert.equal(await refusal([1, ...unknown.slice(0, 10)]), `Device not found: ${ten}`);
    });

    // proves location/used-up location/request location/not-asked-yet
    it('refuses requests that need the network once the service is closed, and asks for nothing more for accepted ones', async () => {
      const { txid } = await created({ deviceList: byImei(9) });
      await call('POST', '/loc/v1/locations', {
        accountName: ACCOUNT,
        cacheMode: '2',
        deviceList: byImei(8),
      });
      await world.import(limited(true));
      const answer = await create({ deviceList: byImei(9) });
      assert.deepEqual([answer.statusCode, answer.json().errorMessage], [400, 'Subscribed usage exceeded']);
      await world.engine.settle();
      assert.deepEqual(await errorsOf(txid), ['UNSPECIFIED ERROR']);
      assert.equal((await created({ cacheMode: '1', deviceList: byImei(8) })).status, 'COMPLETED');
      await call('POST', '/loc/v1/consents', { accountName: ACCOUNT, exclusion: [imei(8)] });
      assert.equal((await create({ deviceList: byImei(8) })).statusCode, 400, 'a later request may work');
      assert.equal((await created({ cacheMode: '1', deviceList: byImei(8) })).status, 'COMPLETED');
      await call('POST', '/loc/v1/consents', { accountName: ACCOUNT, allDevice: false, exclusion: [] });
      await world.import(limited(false));
    });
  });

  describe('401', () => {
    it("refuses another customer's account", async () => {
      const answer = await create({ accountName: STRANGER, deviceList: byImei(40) });
      assert.deepEqual([answer.statusCode, answer.json().errorCode], [401, 'INVALID_ACCESS']);
    });
  });

  describe('429', () => {
    // proves location/reports-at-a-time
    it('refuses an account with a hundred open requests', async () => {
      await db.exec(sql`
        insert into location_request (ecpd_id, account_name, txid, answered_by, accuracy, cache_mode, status, total_count, created_at)
        select '9000001', ${ACCOUNT}, gen_random_uuid(), 'report', 'coarse', 2, 'QUEUED', 1, now() from generate_series(1, 100)`);
      assert.equal((await create({ deviceList: byImei(1) })).statusCode, 429);
      await db.exec(sql`delete from location_request where status = 'QUEUED'`);
    });
  });
});
