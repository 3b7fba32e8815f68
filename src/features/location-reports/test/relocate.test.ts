import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT, asUser, MANAGED, STRANGER } from '../../../../test/support/fleet.ts';
import { openListener } from '../../../../test/support/listener.ts';
import { byImei, imei, LOCATION_FLEET } from '../../../../test/support/location-fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { PositionSource, SourceAnswer } from '../../locations/index.ts';
import type { Target } from '../../locations/location.ts';

const ABSENT = { failure: { type: 'ABSENT SUBSCRIBER' } };
const FAILING = { failure: { type: 'POSITION METHOD FAILURE' } };
const FOUND = {
  fix: { latitude: 1, longitude: 2, radiusM: 3, at: new Date('2026-01-05T00:00:00Z') },
};
const HOUR_MS = 3_600_000;

let answer: SourceAnswer = ABSENT;
let asks = 0;
/** The device that the source does not find. */
let unreachable: string | undefined;
/** Called when the source has its answer but has not returned it yet. */
let beforeAnswer: (askedFor: string) => Promise<unknown> = async () => {};
const source: PositionSource & { batchMax: number } = {
  name: 'changing',
  batchMax: 1,
  async locate(targets) {
    asks += targets.length;
    const [{ imei: askedFor }] = targets as [Target];
    if (askedFor === unreachable) throw new Error('connection refused');
    const answers = new Map(targets.map(({ deviceId }) => [deviceId, answer]));
    await beforeAnswer(askedFor!);
    return answers;
  },
};
const world = await makeWorld({ positionSource: source, env: { LINEKEEPER_LOGIN_RATE: '0' } });
const { db } = world.ctx;
await world.import(LOCATION_FLEET);
await world.engine.addRecurring();
// Only this recurring job: hours pass here, in which the others have nothing to do.
await db.exec(sql`delete from job where kind <> 'location-reports.ask-for-absent'`);
/** Time passes here and sessions expire, so each call has its own. */
const call = async (method: string, path: string, body?: unknown) =>
  (await asUser(world)).call(method, path, body);
const listener = await openListener();
for (const name of ['DeviceLocation', 'Location'])
  await call('POST', `/loc/v1/callbacks/${ACCOUNT}`, { name, url: listener.url });

const work = async () => {
  await world.engine.settle();
  await world.delivery.settle();
};
const comeBack = async (n: number) => {
  for (const online of [false, true])
    await world.operator('PATCH', `/devices/imei/${imei(n)}/simulation`, { online });
  await work();
};
const post = async (path: string, ...numbers: number[]): Promise<string> => {
  const body = { accountName: ACCOUNT, cacheMode: '2', deviceList: byImei(...numbers) };
  return (await call('POST', `/loc/v1/${path}`, body)).json().txid;
};
const callbacksOf = (txid: string) =>
  listener.heard
    .filter(({ text }) => text.includes(txid))
    .map(({ body }) => (body['message'] ? 'found' : 'failed'));
const entryOf = async (txid: string) =>
  (await call('GET', `/loc/v1/locationreports/${ACCOUNT}/report/${txid}/index/0`)).json().devLocationList[0];

describe('a device that could not be reached', () => {
  beforeEach(() => {
    answer = ABSENT;
    asks = 0;
    unreachable = undefined;
    source.batchMax = 1;
    beforeAnswer = async () => {};
  });

  it('stays awaited if it is reached but not located, is tried at growing intervals, and is reported when found', async () => {
    const [requested, report] = [await post('devicelocations', 1), await post('locationreports', 1)];
    await work();
    answer = FAILING;
    asks = 0;
    await comeBack(1);
    assert.equal(asks, 1);
    assert.deepEqual(
      [callbacksOf(requested), (await entryOf(report)).error.type],
      [['failed'], 'ABSENT SUBSCRIBER'],
    );
    for (let n = 0; n < 5; n++) await comeBack(1);
    assert.equal(asks, 1, 'signs of life do not make it ask at once');
    const asksIn = async (hours: number) => {
      asks = 0;
      world.pass(hours * HOUR_MS + 1);
      await work();
      return asks;
    };
    const everyHour: number[] = [];
    for (let hour = 1; hour <= 8; hour++) everyHour.push(await asksIn(1));
    assert.deepEqual(everyHour, [1, 1, 1, 0, 1, 0, 0, 1]);
    assert.deepEqual([await asksIn(60), await asksIn(23), await asksIn(1)], [1, 0, 1], 'once a day at least');
    answer = FOUND;
    await asksIn(24);
    assert.deepEqual([callbacksOf(requested), (await entryOf(report)).pd.x], [['failed', 'found'], '1']);
  });

  it('is not located or reported while it is excluded, and is located when the exclusion is lifted', async () => {
    const exclude = (body: object) => call('POST', '/loc/v1/consents', { accountName: ACCOUNT, ...body });
    const [requested, report] = [await post('devicelocations', 2), await post('locationreports', 2)];
    await work();
    await exclude({ exclusion: [imei(2)] });
    answer = FOUND;
    asks = 0;
    await comeBack(2);
    assert.deepEqual([asks, callbacksOf(requested), (await entryOf(report)).pd], [0, ['failed'], {}]);
    await exclude({ allDevice: false, exclusion: [] });
    world.pass(HOUR_MS + 1);
    await work();
    assert.deepEqual([callbacksOf(requested), (await entryOf(report)).pd.x], [['failed', 'found'], '1']);
  });

  it('is reported once if two processes ask for it when its consent was given, and neither reaches it', async () => {
    const consents = (body: object) => call('POST', '/loc/v1/consents', { accountName: ACCOUNT, ...body });
    const allow = () => consents({ allDevice: false, exclusion: [] });
    await consents({ exclusion: [imei(9)] });
    const requested = await post('devicelocations', 9);
    await work();
    const other = await makeWorld({ positionSource: source, databaseUrl: world.databaseUrl });
    other.clock.holdAt(world.clock.now());
    beforeAnswer = async () => {
      beforeAnswer = async () => {};
      await consents({ exclusion: [imei(9)] });
      await allow();
      await other.engine.settle();
    };
    await allow();
    await work();
    assert.ok(asks >= 2);
    // For want of consent, and because it was not reached.
    assert.deepEqual(callbacksOf(requested), ['failed', 'failed']);
    answer = FOUND;
    await comeBack(9);
    assert.deepEqual(callbacksOf(requested), ['failed', 'failed', 'found']);
  });

  it('is reported once more if its report was completed while it was located again', async () => {
    unreachable = imei(4);
    const report = await post('locationreports', 3, 4);
    await work();
    const readStatus = async () =>
      (await call('GET', `/loc/v1/locationreports/${ACCOUNT}/report/${report}/status`)).json().status;
    const countReports = () => listener.heard.filter(({ text }) => text.includes(report)).length;
    assert.deepEqual([await readStatus(), countReports()], ['INPROGRESS', 0]);
    unreachable = undefined;
    answer = FOUND;
    const gate = Promise.withResolvers<void>();
    const isAsked = Promise.withResolvers<void>();
    beforeAnswer = async (askedFor) => {
      if (askedFor !== imei(3)) return;
      isAsked.resolve();
      await gate.promise;
    };
    const cameBack = comeBack(3);
    await isAsked.promise;
    world.pass(HOUR_MS / 2);
    const worked = work();
    while ((await readStatus()) !== 'COMPLETED') await sleep(10);
    gate.resolve();
    await Promise.all([cameBack, worked]);
    assert.deepEqual([(await entryOf(report)).pd.x, countReports()], ['1', 2]);
  });

  it('is located soon even if it came back between the answer of the network and its write', async () => {
    const requested = await post('devicelocations', 5);
    beforeAnswer = async () => {
      answer = FOUND;
      for (const online of [false, true])
        await world.operator('PATCH', `/devices/imei/${imei(5)}/simulation`, { online });
    };
    await work();
    beforeAnswer = async () => {};
    world.pass(61_000);
    await work();
    assert.deepEqual(callbacksOf(requested), ['failed', 'found']);
  });

  // proves location/absent-devices
  it('is asked for and billed once for all entries that wait for it, however many, also for those not due yet', async () => {
    source.batchMax = 250;
    const imeis = Array.from({ length: 250 }, (_, n) => `8620000${String(n).padStart(8, '0')}`);
    await world.import({ devices: imeis.map((each) => ({ accountName: ACCOUNT, imei: each })) });
    const deviceList = imeis.map((id) => ({ id, kind: 'IMEI' }));
    const ask = async (path: string, some = deviceList): Promise<string> => {
      const body = { accountName: ACCOUNT, cacheMode: '2', deviceList: some };
      return (await call('POST', `/loc/v1/${path}`, body)).json().txid;
    };
    const passHour = async (answered: SourceAnswer) => {
      answer = answered;
      world.pass(HOUR_MS + 1);
      await work();
    };
    const eldest = await ask('locationreports');
    await work();
    for (let hour = 0; hour < 3; hour++) await passHour(FAILING);
    answer = ABSENT;
    const others: string[] = [];
    for (let n = 0; n < 8; n++) others.push(await ask('locationreports'));
    const called = await ask('devicelocations', deviceList.slice(0, 3));
    await work();
    asks = 0;
    await passHour(FOUND);
    await passHour(FOUND);
    const txids = [eldest, ...others, called];
    const entries = 250 * 9 + 3;
    const states = await db.many(sql`
      select state, count(*)::int as n from location_entry where txid = any(${txids}::uuid[]) group by state`);
    assert.deepEqual(states, [{ state: 'located', n: entries }]);
    const billed = await db.many(sql`
      select request_ref as txid, count(*)::int as n from service_transaction where request_ref = any(${txids}) group by 1`);
    assert.deepEqual([asks, billed], [250, [{ txid: eldest, n: 250 }]]);
    assert.equal(callbacksOf(called).filter((told) => told === 'found').length, 3);
    for (const txid of others) assert.equal(callbacksOf(txid).length, 2, 'completed, and changed once');
  });

  const path = (n: number) => `/devices/imei/${imei(n)}`;
  const deactivate = async (n: number) =>
    assert.equal((await world.operator('POST', `${path(n)}/state`, { state: 'deactive' })).statusCode, 200);
  const LEAVING: readonly [string, (n: number) => Promise<unknown>][] = [
    ['was deleted by the operator', (n) => world.operator('DELETE', path(n))],
    [
      'was deleted by its owner',
      async (n) => {
        const devices = [{ deviceIds: byImei(n) }];
        const body = { accountName: ACCOUNT, devices, reasonCode: 'FF', deleteAfterDeactivation: true };
        await call('POST', '/m2m/v1/devices/actions/deactivate', body);
        await work();
      },
    ],
    [
      'moved to an account of its customer',
      (n) => world.operator('POST', `${path(n)}/move`, { accountName: MANAGED }),
    ],
    [
      'moved to another customer',
      async (n) => {
        await deactivate(n);
        await world.operator('POST', `${path(n)}/move`, { accountName: STRANGER });
      },
    ],
    [
      'was deactivated an hour ago',
      async (n) => {
        await deactivate(n);
        world.pass(HOUR_MS + 1);
        await work();
      },
    ],
  ];
  // proves location/absent-devices lines/another-account
  for (const [nth, [how, leave]] of LEAVING.entries())
    it(`is an unknown subscriber, and not asked for again, when it ${how}`, async () => {
      const n = 10 + nth;
      const report = await post('locationreports', n);
      await work();
      asks = 0;
      answer = FOUND;
      await leave(n);
      const { error } = await entryOf(report);
      world.pass(HOUR_MS + 1);
      await work();
      assert.deepEqual([error.type, asks], ['UNKNOWN SUBSCRIBER', 0]);
      assert.deepEqual((await entryOf(report)).error, error);
    });

  // proves location/absent-devices lines/another-account
  for (const [nth, [how, leave]] of LEAVING.entries())
    it(`is an unknown subscriber at once, and told of, if its report had not asked for it when it ${how}`, async () => {
      const n = 15 + nth;
      const [report, called] = [await post('locationreports', n), await post('devicelocations', n)];
      await leave(n);
      answer = FOUND;
      asks = 0;
      await work();
      assert.equal((await entryOf(report)).error.type, 'UNKNOWN SUBSCRIBER');
      assert.deepEqual(callbacksOf(called), ['failed']);
      world.pass(HOUR_MS + 1);
      await work();
      assert.deepEqual([asks, callbacksOf(report).length, callbacksOf(called).length], [0, 1, 1]);
      const unasked = await db.value<number>(sql`
        select count(*)::int as n from location_entry where txid = any(${[report, called]}::uuid[]) and unasked`);
      assert.equal(unasked, 0, 'nothing waits for a consent that nobody can give');
    });
});
