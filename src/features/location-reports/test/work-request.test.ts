import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, STRANGER, STRANGER_USER, USER } from '../../../../test/support/fleet.ts';
import { LOCATION_FLEET } from '../../../../test/support/location-fleet.ts';
import { makeWorld, type World } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { PositionSource } from '../../locations/index.ts';

const imeiOf = (n: number) => `8600000${String(n).padStart(8, '0')}`;
const devicesOf = (accountName: string, from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ accountName, imei: imeiOf(from + n) }));

/** A source that counts how often each device was asked for, and can be held up. */
function countingSource() {
  const asks = new Map<string, number>();
  let held: Promise<void> | undefined;
  let batches = 0;
  const source: PositionSource = {
    name: 'counting',
    batchMax: 50,
    async locate(targets, { signal }) {
      batches++;
      for (const { imei } of targets) asks.set(imei!, (asks.get(imei!) ?? 0) + 1);
      const answers = new Map(
        targets.map(({ deviceId }) => [
          deviceId,
          { fix: { latitude: 1, longitude: 2, radiusM: 3, at: new Date('2026-01-05T00:00:00Z') } },
        ]),
      );
      if (held !== undefined) {
        const aborted = new Promise<never>((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
        await Promise.race([held, aborted]);
      }
      return answers;
    },
  };
  return {
    asks,
    source,
    countBatches: () => batches,
    holdUntil(promise: Promise<void>) {
      held = promise;
    },
  };
}

const request = async (world: World, user: object, accountName: string, from: number, count: number) => {
  const { call } = await asUser(world, user);
  const answer = await call('POST', '/loc/v1/locationreports', {
    accountName,
    cacheMode: '2',
    deviceList: devicesOf(accountName, from, count).map(({ imei }) => ({ id: imei, kind: 'IMEI' })),
  });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().txid as string;
};
const statusOf = async (world: World, txid: string) =>
  (await world.ctx.db.one<{ status: string }>(sql`select status from location_request where txid = ${txid}`))
    .status;
const until = async (condition: () => Promise<boolean> | boolean) => {
  for (let n = 0; n < 1_000; n++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('it did not come to that');
};

describe('working on a location report', () => {
  it('goes on where a worker was stopped, and asks for no device that was settled', async () => {
    const first = countingSource();
    const world = await makeWorld({ positionSource: first.source });
    await world.import({ ...LOCATION_FLEET, devices: devicesOf(ACCOUNT, 0, 1_200) });
    const txid = await request(world, USER, ACCOUNT, 0, 1_200);
    const gate = Promise.withResolvers<void>();
    await world.engine.start();
    // Two chunks of five batches come through; the third is under way when the worker is stopped.
    await until(() => {
      if (first.countBatches() >= 10) first.holdUntil(gate.promise);
      return first.countBatches() > 10;
    });
    await world.engine.stop(0);
    const settled = await world.ctx.db.many<{ imei: string }>(sql`
      select d.imei from location_entry e join device d using (ecpd_id, device_id)
      where e.txid = ${txid} and e.state = 'located'`);
    assert.ok(settled.length >= 250 && settled.length < 1_200, `${settled.length} settled`);

    const second = countingSource();
    const successor = await makeWorld({ databaseUrl: world.databaseUrl, positionSource: second.source });
    await successor.engine.settle();
    assert.equal(await statusOf(successor, txid), 'COMPLETED');
    assert.deepEqual(
      settled.filter(({ imei }) => second.asks.has(imei)),
      [],
    );
    assert.equal(second.asks.size, 1_200 - settled.length);
    const { n } = await successor.ctx.db.one<{ n: number }>(
      sql`select count(*)::int as n from service_transaction where request_ref = ${txid}`,
    );
    assert.equal(n, 1_200);
  });

  it('does not let a short report of another account wait for a long one', async () => {
    const { source, holdUntil, countBatches } = countingSource();
    const world = await makeWorld({ positionSource: source });
    await world.import({
      ...LOCATION_FLEET,
      devices: [...devicesOf(ACCOUNT, 0, 2_000), ...devicesOf(STRANGER, 5_000, 5)],
    });
    const gate = Promise.withResolvers<void>();
    const long = await request(world, USER, ACCOUNT, 0, 2_000);
    holdUntil(gate.promise);
    await world.engine.start();
    await until(() => countBatches() > 0);
    holdUntil(Promise.resolve());
    const short = await request(world, STRANGER_USER, STRANGER, 5_000, 5);
    await until(async () => (await statusOf(world, short)) === 'COMPLETED');
    assert.equal(await statusOf(world, long), 'INPROGRESS');
    gate.resolve();
    await until(async () => (await statusOf(world, long)) === 'COMPLETED');
  });

  it('is tried again while the source cannot be reached, and tells what failed after the last attempt', async () => {
    const source: PositionSource = {
      name: 'dead',
      batchMax: 10,
      locate: () => Promise.reject(new Error('connection refused')),
    };
    const world = await makeWorld({ positionSource: source });
    await world.import({ ...LOCATION_FLEET, devices: devicesOf(ACCOUNT, 0, 1_500) });
    const txid = await request(world, USER, ACCOUNT, 0, 1_500);
    await world.engine.settle();
    assert.equal(await statusOf(world, txid), 'INPROGRESS');
    for (let n = 0; n < 7; n++) {
      world.pass(300_000);
      await world.engine.settle();
    }
    assert.equal(await statusOf(world, txid), 'COMPLETED');
    const types = await world.ctx.db.many<{ type: string }>(
      sql`select distinct error_type as type from location_entry where txid = ${txid}`,
    );
    assert.deepEqual(types, [{ type: 'SYSTEM FAILURE' }]);
  });

  it('writes the answers that make sense when the source answers nonsense for others', async () => {
    const nonsense = [
      { latitude: 91, longitude: 0, radiusM: 1, at: new Date(0) },
      { latitude: Number.NaN, longitude: 0, radiusM: 1, at: new Date(0) },
      { latitude: 0, longitude: 0, radiusM: -1, at: new Date(0) },
    ];
    const source: PositionSource = {
      name: 'confused',
      batchMax: 10,
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
    const world = await makeWorld({ positionSource: source });
    await world.import({ ...LOCATION_FLEET, devices: devicesOf(ACCOUNT, 0, 5) });
    const txid = await request(world, USER, ACCOUNT, 0, 5);
    await world.engine.settle();
    const entries = await world.ctx.db.many(sql`
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

  it('leaves nothing of a device that was deleted while the network looked for it', async () => {
    const { source, holdUntil, countBatches } = countingSource();
    const world = await makeWorld({ positionSource: source });
    await world.import({ ...LOCATION_FLEET, devices: devicesOf(ACCOUNT, 0, 2) });
    const gate = Promise.withResolvers<void>();
    holdUntil(gate.promise);
    const txid = await request(world, USER, ACCOUNT, 0, 2);
    const settled = world.engine.settle();
    await until(() => countBatches() > 0);
    assert.equal((await world.operator('DELETE', `/devices/imei/${imeiOf(0)}`)).json().success, true);
    gate.resolve();
    await settled;
    const types = await world.ctx.db.many(
      sql`select error_type as type from location_entry where txid = ${txid} order by nth`,
    );
    assert.deepEqual(types, [{ type: 'UNKNOWN SUBSCRIBER' }, { type: null }]);
    const { n } = await world.ctx.db.one<{ n: number }>(
      sql`select count(*)::int as n from service_transaction`,
    );
    assert.equal(n, 1);
  });
});
