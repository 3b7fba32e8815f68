import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ACCOUNT, asUser } from '../../../../test/support/fleet.ts';
import { byImei, imei, LOCATION_FLEET } from '../../../../test/support/location-fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type PositionSource, type SourceAnswer, SourceRefused } from '../../locations/index.ts';

const HOUR_MS = 3_600_000;
const FOUND = { fix: { latitude: 1, longitude: 2, radiusM: 3, at: new Date('2026-01-05T00:00:00Z') } };

let answer: SourceAnswer | 'refused' | 'unreachable' = FOUND;
let asked: string[] = [];
/** Called when the source has its answer but has not returned it yet. */
let beforeAnswer: () => Promise<unknown> = async () => {};
const source: PositionSource = {
  name: 'changing',
  batchMax: 100,
  async locate(targets) {
    asked.push(...targets.map((target) => target.imei!));
    if (answer === 'refused') throw new SourceRefused('not today');
    if (answer === 'unreachable') throw new Error('connection refused');
    const answers = new Map(targets.map(({ deviceId }) => [deviceId, answer as SourceAnswer]));
    await beforeAnswer();
    return answers;
  },
};
/** More than fit into one job. */
const PER_LOOK = 300;
const world = await makeWorld({
  positionSource: source,
  env: { LINEKEEPER_LOGIN_RATE: '0' },
  limits: { locations: { perLook: PER_LOOK, accountsPerRecheck: 1 } },
});
const { db } = world.ctx;
await world.import(LOCATION_FLEET);
await world.engine.addRecurring();
/** Time passes here and sessions expire, so each call has its own. */
const call = async (method: string, path: string, body?: object) =>
  (await asUser(world)).call(method, path, body && { accountName: ACCOUNT, ...body });
const exclude = (...numbers: number[]) =>
  call('POST', '/loc/v1/consents', {
    ...(numbers.length === 0
      ? { allDevice: false, exclusion: [] }
      : { type: 'append', exclusion: numbers.map(imei) }),
  });
const allow = (n: number) => call('DELETE', `/loc/v1/consents?accountName=${ACCOUNT}&deviceList=${imei(n)}`);
const excludeByImport = (...numbers: number[]) =>
  world.import({ exclusions: [{ accountName: ACCOUNT, imeis: numbers.map(imei) }] });
const post = async (body: object, kind = 'locationreports'): Promise<string> => {
  const accepted = await call('POST', `/loc/v1/${kind}`, { cacheMode: '2', ...body });
  assert.equal(accepted.statusCode, 200, accepted.body);
  return accepted.json().txid;
};
const entriesOf = async (txid: string) =>
  (await call('GET', `/loc/v1/locationreports/${ACCOUNT}/report/${txid}/index/0`)).json().devLocationList;
const errorOf = async (txid: string) => (await entriesOf(txid))[0].error.type;
const work = async (afterMs = 0) => {
  world.pass(afterMs);
  await world.engine.settle();
};
const countOf = async (what: ReturnType<typeof sql>) =>
  (await db.one<{ n: number }>(sql`select count(*)::int as n from ${what}`)).n;
const billedFor = (txid: string) => countOf(sql`service_transaction where request_ref = ${txid}`);

describe('a device that was not located for lack of consent', () => {
  beforeEach(() => {
    answer = FOUND;
    asked = [];
    beforeAnswer = async () => {};
  });

  // proves location/not-asked-yet
  it('is asked for when its consent is given, and within an hour when an import gives it', async () => {
    await excludeByImport(1, 2);
    const [called, imported] = [await post({ deviceList: byImei(1) }), await post({ deviceList: byImei(2) })];
    await work(HOUR_MS + 1);
    assert.deepEqual(asked, []);
    await allow(1);
    await work();
    await excludeByImport();
    assert.deepEqual(asked, [imei(1)]);
    assert.deepEqual(await Promise.all([called, imported].map(errorOf)), [
      undefined,
      'SVC CONSENT CHECK FAILED',
    ]);
    await work(HOUR_MS + 1);
    assert.deepEqual(asked, [imei(1), imei(2)]);
    assert.deepEqual([await billedFor(called), await billedFor(imported)], [1, 1]);
  });

  it('is checked again a page of accounts at a time', async () => {
    await exclude(8);
    await post({ deviceList: byImei(8) });
    const runs = async () =>
      (await world.operator('GET', '/jobs?kind=location-reports.recheck-consents&limit=1000')).json().length;
    const before = await runs();
    await work(HOUR_MS + 1);
    // One with the account, and one that finds no further account.
    assert.equal((await runs()) - before, 2);
    await exclude();
    await work();
  });

  it('stays awaited if it cannot be reached, and no longer if it cannot be located', async () => {
    await exclude(3, 4);
    const [absent, failing] = [await post({ deviceList: byImei(3) }), await post({ deviceList: byImei(4) })];
    answer = { failure: { type: 'ABSENT SUBSCRIBER' } };
    await allow(3);
    await work();
    answer = { failure: { type: 'POSITION METHOD FAILURE' } };
    await exclude();
    await work();
    assert.deepEqual(
      [await errorOf(absent), await errorOf(failing)],
      ['ABSENT SUBSCRIBER', 'POSITION METHOD FAILURE'],
    );
    answer = FOUND;
    await work(HOUR_MS + 1);
    assert.deepEqual([await billedFor(absent), await billedFor(failing)], [1, 0]);
  });

  it('is taken from the cache first, or only from there, with the maximum age of the request', async () => {
    const at = world.ctx.now().toISOString();
    const fed = [5, 6].map((n) => ({ kind: 'imei', device: imei(n), lat: 9, lon: 9, at }));
    assert.equal((await world.operator('POST', '/positions', fed)).json().accepted, 2);
    await exclude(5, 6);
    const want = (cacheMode: number, more: object = {}) =>
      post({ cacheMode, deviceList: byImei(5), maxLocAge: 60, ...more });
    const reports = [await want(0, { maxLocAge: HOUR_MS }), await want(0), await want(1)];
    const elder = await post({ cacheMode: 1, deviceList: byImei(6) });
    world.pass(61_000);
    await exclude();
    await work();
    const read = async (txid: string) => {
      const [{ pd, error }] = await entriesOf(txid);
      return [pd.x ?? error.type, pd.cacheMode, await billedFor(txid)];
    };
    assert.deepEqual(await Promise.all([...reports, elder].map(read)), [
      ['9', undefined, 0],
      ['SVC CACHE UNAVAILABLE', undefined, 0],
      ['1', '0', 1],
      ['9', '2', 0],
    ]);
    assert.deepEqual(asked, [imei(5)]);
  });

  it('fails if the source refuses, and is tried again while the source is not reached', async () => {
    await exclude(7, 8);
    const [refused, unreached] = [
      await post({ deviceList: byImei(7) }),
      await post({ deviceList: byImei(8) }),
    ];
    answer = 'refused';
    await allow(7);
    await work();
    answer = 'unreachable';
    await exclude();
    await work();
    assert.deepEqual(
      [await errorOf(refused), await errorOf(unreached)],
      ['SYSTEM FAILURE', 'SVC CONSENT CHECK FAILED'],
    );
    answer = FOUND;
    await work(60_000);
    assert.deepEqual([await billedFor(refused), await billedFor(unreached)], [0, 1]);
  });

  it('is neither located nor billed if consent is withdrawn during the query, and is once consent returns', async () => {
    await exclude(9);
    const txid = await post({ deviceList: byImei(9) });
    beforeAnswer = () => exclude(9);
    await exclude();
    await work();
    assert.deepEqual([asked, await errorOf(txid)], [[imei(9)], 'SVC CONSENT CHECK FAILED']);
    beforeAnswer = async () => {};
    await exclude();
    assert.equal(await errorOf(txid), 'SVC CONSENT CHECK FAILED', 'until it is asked for');
    await work();
    assert.equal(await billedFor(txid), 1);
  });

  it('is neither located, reported nor billed if its request is cancelled during the query', async () => {
    await exclude(10);
    const txid = await post({ deviceList: byImei(10, 11) }, 'devicelocations');
    // The worker is busy: the request is still queued when consent is given.
    const later = new Date(world.clock.now().getTime() + 24 * 3_600_000);
    await db.exec(sql`update job set due_at = ${later} where kind = 'location-reports.work'`);
    beforeAnswer = () => call('DELETE', `/loc/v1/devicelocations/${txid}?accountName=${ACCOUNT}`);
    await exclude();
    await work();
    assert.deepEqual(asked, [imei(10)]);
    assert.deepEqual(
      await db.many(sql`select distinct state, error_type as type from location_entry where txid = ${txid}`),
      [{ state: 'failed', type: 'CANCELLATION OF TRIGGERED LOCATION REQUEST' }],
    );
    const told = await countOf(sql`callback_message where request_id = ${txid}`);
    assert.deepEqual([told, await billedFor(txid)], [1, 0]);
  });

  it('is billed once, to the oldest request, even if two locate it at the same time', async () => {
    await exclude(12);
    const first = await post({ deviceList: byImei(12) });
    world.pass(1);
    const second = await post({ deviceList: byImei(12) });
    const bothAsked = Promise.withResolvers<void>();
    beforeAnswer = () => {
      if (asked.length > 1) bothAsked.resolve();
      return bothAsked.promise;
    };
    const deviceList = [{ id: imei(12), kind: 'IMEI', consent: 0 }];
    await call('POST', '/loc/v1/devicelocations/action/consents', { deviceList });
    await exclude();
    await work();
    assert.deepEqual([await billedFor(first), await billedFor(second)], [1, 0]);
    for (const txid of [first, second]) assert.equal((await entriesOf(txid))[0].pd.x, '1');
  });

  it('is found among more such devices than one run handles', async () => {
    const COUNT = PER_LOOK + 1;
    const imeis = Array.from({ length: COUNT }, (_, n) => `8610000${String(n).padStart(8, '0')}`);
    await world.import({ devices: imeis.map((each) => ({ accountName: ACCOUNT, imei: each })) });
    await call('POST', '/loc/v1/consents', { allDevice: true });
    const txid = await post({ deviceList: imeis.map((id) => ({ id, kind: 'IMEI' })) });
    await call('POST', '/loc/v1/consents', { allDevice: false });
    await work();
    assert.equal(await billedFor(txid), COUNT);
  });
});
