import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT, asUser, STRANGER, STRANGER_USER, USER } from '../../../../test/support/fleet.ts';
import { LOCATION_FLEET } from '../../../../test/support/location-fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { PositionSource } from '../../locations/index.ts';

const imeiOf = (n: number) => `8600000${String(n).padStart(8, '0')}`;
const devicesOf = (accountName: string, from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ accountName, imei: imeiOf(from + n) }));

const limits = { locations: { chunk: 10 } };

/** A source that counts the queries for each device and can be held from a batch on. A chunk has five devices. */
function countingSource() {
  const asks = new Map<string, number>();
  let held: { readonly from: number; readonly until: Promise<void> } | undefined;
  let batches = 0;
  const source: PositionSource = {
    name: 'counting',
    batchMax: 2,
    async locate(targets, { signal }) {
      batches++;
      for (const { imei } of targets) asks.set(imei!, (asks.get(imei!) ?? 0) + 1);
      const answers = new Map(
        targets.map(({ deviceId }) => [
          deviceId,
          { fix: { latitude: 1, longitude: 2, radiusM: 3, at: new Date('2026-01-05T00:00:00Z') } },
        ]),
      );
      if (held !== undefined && batches >= held.from) {
        const aborted = new Promise<never>((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
        await Promise.race([held.until, aborted]);
      }
      return answers;
    },
  };
  return {
    asks,
    source,
    countBatches: () => batches,
    holdUntil(until: Promise<void>, from = 0) {
      held = { from, until };
    },
  };
}

const request = async (user: object, accountName: string, from: number, count: number) => {
  const { call } = await asUser(world, user);
  const answer = await call('POST', '/loc/v1/locationreports', {
    accountName,
    cacheMode: '2',
    deviceList: devicesOf(accountName, from, count).map(({ imei }) => ({ id: imei, kind: 'IMEI' })),
  });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().txid as string;
};
const statusOf = async (txid: string) =>
  (await db.one<{ status: string }>(sql`select status from location_request where txid = ${txid}`)).status;
const until = async (condition: () => Promise<boolean> | boolean) => {
  while (!(await condition())) await sleep(10);
};

/** The source for the devices of a test. */
let source: PositionSource;
const testSource: PositionSource = {
  name: 'of the test',
  batchMax: 2,
  locate: (targets, limits) => source.locate(targets, limits),
};
const world = await makeWorld({ positionSource: testSource, limits });
await world.import({
  ...LOCATION_FLEET,
  devices: [...devicesOf(ACCOUNT, 0, 50), ...devicesOf(STRANGER, 5_000, 5)],
});
const { db } = world.ctx;
/** Another process, which works on its own. */
const makeWorker = (positionSource: PositionSource) =>
  makeWorld({ databaseUrl: world.databaseUrl, positionSource, limits });

describe('working on a location report', () => {
  it('continues where a worker was stopped, and locates no settled device again', async () => {
    const [first, second] = [countingSource(), countingSource()];
    const txid = await request(USER, ACCOUNT, 0, 48);
    // Two chunks are done; the third is in progress when the worker is stopped.
    first.holdUntil(new Promise(() => {}), 11);
    const { engine } = await makeWorker(first.source);
    await engine.start();
    await until(() => first.countBatches() > 10);
    await engine.stop(0);
    const settled = await db.many<{ imei: string }>(sql`
      select d.imei from location_entry e join device d using (ecpd_id, device_id)
      where e.txid = ${txid} and e.state = 'located'`);
    assert.equal(settled.length, 20);

    ({ source } = second);
    await world.engine.settle();
    assert.equal(await statusOf(txid), 'COMPLETED');
    assert.deepEqual(
      settled.filter(({ imei }) => second.asks.has(imei)),
      [],
    );
    assert.equal(second.asks.size, 48 - settled.length);
    const { n } = await db.one<{ n: number }>(
      sql`select count(*)::int as n from service_transaction where request_ref = ${txid}`,
    );
    assert.equal(n, 48);
  });

  it('does not make a short report of another account wait for a long one', async () => {
    const slow = countingSource();
    const gate = Promise.withResolvers<void>();
    const long = await request(USER, ACCOUNT, 0, 50);
    slow.holdUntil(gate.promise);
    const { engine } = await makeWorker(slow.source);
    await engine.start();
    await until(() => slow.countBatches() > 0);
    slow.holdUntil(Promise.resolve());
    const short = await request(STRANGER_USER, STRANGER, 5_000, 5);
    await until(async () => (await statusOf(short)) === 'COMPLETED');
    assert.equal(await statusOf(long), 'INPROGRESS');
    gate.resolve();
    await until(async () => (await statusOf(long)) === 'COMPLETED');
    await engine.stop(1_000);
  });

  it('writes the valid answers if the source returns invalid ones for other devices', async () => {
    const nonsense = [
      { latitude: 91, longitude: 0, radiusM: 1, at: new Date(0) },
      { latitude: Number.NaN, longitude: 0, radiusM: 1, at: new Date(0) },
      { latitude: 0, longitude: 0, radiusM: -1, at: new Date(0) },
    ];
    source = {
      ...testSource,
      locate: async (targets) =>
        new Map(
          targets.map(({ deviceId, imei }) => {
            const n = Number(imei!.slice(-1));
            const future = { latitude: 1, longitude: 2, radiusM: 3, at: new Date('2030-01-01') };
            return [
              deviceId,
              n < 4 ? { fix: nonsense[n] ?? future } : { failure: { type: 'TIRED', info: 'a\0b' } },
            ];
          }),
        ),
    };
    const txid = await request(USER, ACCOUNT, 0, 5);
    await world.engine.settle();
    const entries = await db.many(sql`
      select error_type as type, error_info as info, located_at as at from location_entry where txid = ${txid} order by nth`);
    const failed = { type: 'POSITION METHOD FAILURE', info: null, at: null };
    assert.deepEqual(entries, [
      failed,
      failed,
      failed,
      { type: null, info: null, at: world.ctx.now() },
      { type: 'UNSPECIFIED ERROR', info: 'ab', at: null },
    ]);
  });

  it('leaves nothing of a device that was deleted during its query', async () => {
    const slow = countingSource();
    ({ source } = slow);
    const gate = Promise.withResolvers<void>();
    slow.holdUntil(gate.promise);
    const txid = await request(USER, ACCOUNT, 0, 2);
    const settled = world.engine.settle();
    await until(() => slow.countBatches() > 0);
    assert.equal((await world.operator('DELETE', `/devices/imei/${imeiOf(0)}`)).json().success, true);
    gate.resolve();
    await settled;
    const types = await db.many(
      sql`select error_type as type from location_entry where txid = ${txid} order by nth`,
    );
    assert.deepEqual(types, [{ type: 'UNKNOWN SUBSCRIBER' }, { type: null }]);
    const { n } = await db.one<{ n: number }>(
      sql`select count(*)::int as n from service_transaction where request_ref = ${txid}`,
    );
    assert.equal(n, 1);
  });

  // proves refusals/failed-to-get-location location/unreachable-source
  it('is tried again while the source cannot be reached, and reports failures after the last attempt', async () => {
    source = { ...testSource, locate: () => Promise.reject(new Error('connection refused')) };
    const txid = await request(USER, ACCOUNT, 2, 15);
    await world.engine.settle();
    assert.equal(await statusOf(txid), 'INPROGRESS');
    for (let n = 0; n < 7; n++) {
      world.pass(300_000);
      await world.engine.settle();
    }
    assert.equal(await statusOf(txid), 'COMPLETED');
    const types = await db.many<{ type: string }>(
      sql`select distinct error_type as type from location_entry where txid = ${txid}`,
    );
    assert.deepEqual(types, [{ type: 'SYSTEM FAILURE' }]);
  });
});
