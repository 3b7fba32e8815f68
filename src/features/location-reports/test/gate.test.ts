import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser } from '../../../../test/support/fleet.ts';
import { byImei, imei, LOCATION_FLEET } from '../../../../test/support/location-fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { PositionSource, SourceAnswer } from '../../locations/index.ts';

const HOUR_MS = 3_600_000;
const ABSENT: SourceAnswer = { failure: { type: 'ABSENT SUBSCRIBER' } };
let isFound = true;
let asked = 0;
const source: PositionSource = {
  name: 'changing',
  batchMax: 100,
  async locate(targets) {
    asked += targets.length;
    const fix = { latitude: 1, longitude: 2, radiusM: 3, at: world.ctx.now() };
    return new Map(targets.map(({ deviceId }) => [deviceId, isFound ? { fix } : ABSENT]));
  },
};
const CHUNK = 2;
const world = await makeWorld({
  positionSource: source,
  env: { LINEKEEPER_LOGIN_RATE: '0' },
  limits: { locations: { chunk: CHUNK } },
});
const { db } = world.ctx;
await world.import(LOCATION_FLEET);
await world.engine.addRecurring();
await db.exec(sql`delete from job where kind not like 'location-reports.%'`);
/** Time passes here and sessions expire, so each call has its own. */
const call = async (method: string, path: string, body?: object) =>
  (await asUser(world)).call(method, path, body && { accountName: ACCOUNT, ...body });
const ask = (kind: string, cacheMode: number, ...numbers: number[]) =>
  call('POST', `/loc/v1/${kind}`, { cacheMode, deviceList: byImei(...numbers) });
const accepted = async (kind: string, cacheMode: number, ...numbers: number[]): Promise<string> => {
  const answer = await ask(kind, cacheMode, ...numbers);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().txid;
};
const exclude = (...numbers: number[]) =>
  call('POST', '/loc/v1/consents', {
    ...(numbers.length === 0 ? { allDevice: false, exclusion: [] } : { exclusion: numbers.map(imei) }),
  });
const work = async (afterMs = 0) => {
  world.pass(afterMs);
  await world.engine.settle();
};
const entriesOf = async (txid: string): Promise<string[]> =>
  (await call('GET', `/loc/v1/locationreports/${ACCOUNT}/report/${txid}/index/0`))
    .json()
    .devLocationList.map(({ pd, error }: { pd: { x?: string }; error: { type: string; info: string } }) =>
      pd.x === undefined ? `${error.type}: ${error.info}` : 'found',
    );
const countBilled = () =>
  db.value<number>(sql`select count(*)::int as n from service_transaction where service_name = 'Location'`);
const EXCEEDED = 'Subscribed usage exceeded';
const LATER_BATCH = `UNSPECIFIED ERROR: ${EXCEEDED}`;
const WAITS = 'ABSENT SUBSCRIBER: The device cannot be reached.';

/** The account may use no more than this number, from the uses so far on. */
const allow = async (more: number) => {
  const allowance = (await countBilled()) + more;
  await world.import({
    subscriptions: [
      { accountName: ACCOUNT, serviceName: 'Location', skuName: 'SVC-LOC-COARSE-CellID-Aggr', allowance },
    ],
    usageTriggers: [
      {
        accountName: ACCOUNT,
        triggerName: 'limit',
        serviceName: 'Location',
        thresholdValue: '100',
        allowExcess: false,
      },
    ],
  });
};
await allow(1);
assert.equal(
  (await ask('locations', 2, 1)).statusCode,
  200,
  'a position is in the cache, and the gate is closed',
);

// proves location/used-up
describe('a service whose subscribed use is used up', () => {
  for (const kind of ['locationreports', 'devicelocations'])
    it(`refuses ${kind} that would need the network if its devices were not excluded, in every cache mode that may ask it`, async () => {
      await exclude(2, 3);
      for (const cacheMode of [1, 2]) {
        const answer = await ask(kind, cacheMode, 1, 2, 3);
        assert.deepEqual([answer.statusCode, answer.json().errorMessage], [400, EXCEEDED]);
      }
      await accepted(kind, 0, 1, 2, 3);
      await exclude(1);
      await accepted(kind, 1, 1);
      await exclude();
      await work();
    });

  it('answers a request that the cache can answer whole, at once and in reports', async () => {
    assert.equal((await ask('locations', 1, 1)).json()[0].pd.x, '1');
    assert.deepEqual(await entriesOf(await accepted('locationreports', 1, 1)), ['found']);
    for (const kind of ['locations', 'locationreports', 'devicelocations'])
      assert.equal((await ask(kind, 1, 1, 4)).json().errorMessage, EXCEEDED);
  });

  it('stays closed while trigger actions are paused', async () => {
    await world.operator('POST', '/actions/pause');
    for (const kind of ['locations', 'locationreports', 'devicelocations'])
      assert.equal((await ask(kind, 2, 4)).json().errorMessage, EXCEEDED);
    await world.operator('POST', '/actions/resume');
  });

  it('does not ask for the later batches of an accepted report, which say so and are not billed', async () => {
    await allow(1);
    const [billed, txid] = [await countBilled(), await accepted('locationreports', 2, 4, 5, 6, 7)];
    asked = 0;
    await work();
    assert.deepEqual(await entriesOf(txid), ['found', 'found', LATER_BATCH, LATER_BATCH]);
    assert.deepEqual([asked, (await countBilled()) - billed], [CHUNK, CHUNK]);
    await work(HOUR_MS + 1);
    assert.equal(asked, CHUNK);
  });

  it('does not ask for devices whose consent is given after it closed', async () => {
    await allow(1);
    await exclude(8, 9);
    const txid = await accepted('locationreports', 1, 8, 9);
    assert.equal((await ask('locations', 2, 10)).statusCode, 200, 'the last use');
    const billed = await countBilled();
    asked = 0;
    await exclude();
    await work();
    assert.deepEqual(await entriesOf(txid), [LATER_BATCH, LATER_BATCH]);
    assert.deepEqual([asked, await countBilled()], [0, billed]);
  });

  it('keeps unreachable devices waiting, and locates them when it is open again', async () => {
    await allow(1);
    isFound = false;
    const txid = await accepted('locationreports', 1, 11);
    await work();
    isFound = true;
    assert.equal((await ask('locations', 2, 12)).statusCode, 200, 'the last use');
    const billed = await countBilled();
    asked = 0;
    await work(HOUR_MS + 1);
    await work(HOUR_MS + 1);
    assert.deepEqual([asked, await entriesOf(txid), await countBilled()], [0, [WAITS], billed]);
    await allow(1);
    await work(HOUR_MS + 1);
    assert.deepEqual([asked, await entriesOf(txid), await countBilled()], [1, ['found'], billed + 1]);
  });
});
