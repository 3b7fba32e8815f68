import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openTestDatabase } from '../../../../test/support/database.ts';
import { ACCOUNT, asUser } from '../../../../test/support/fleet.ts';
import { byImei, imei, LOCATION_FLEET, mdn } from '../../../../test/support/location-fleet.ts';
import { countWaiting, untilWaiting } from '../../../../test/support/lock-waits.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

const world = await makeWorld();
await world.import(LOCATION_FLEET);
const { call } = await asUser(world);

const position = (n: number, at: string, more: object = {}) => ({
  kind: 'imei',
  device: imei(n),
  at,
  lat: 10,
  lon: 20,
  radius: 30,
  ...more,
});
const feed = (body: string | Buffer) => world.operator('POST', '/positions', body as string);
const cached = async (n: number) =>
  (
    await call('POST', '/loc/v1/locations', { accountName: ACCOUNT, cacheMode: '0', deviceList: byImei(n) })
  ).json()[0]?.pd;

describe('POST /operator/v1/positions', () => {
  it('200: accepts lines, an array, events and gzip, and answers requests from them without billing', async () => {
    const lines = [position(1, '2026-01-04T00:00:00Z'), position(2, '2026-01-04T00:00:00Z')];
    const event = {
      specversion: '1.0',
      id: '1',
      type: 'position',
      data: position(4, '2026-01-04T00:00:00Z'),
    };
    for (const body of [
      lines.map((line) => JSON.stringify(line)).join('\n'),
      JSON.stringify([
        position(3, '2026-01-04T00:00:00Z', { kind: 'mdn', device: mdn(3), radius: undefined }),
      ]),
      JSON.stringify([event]),
    ]) {
      const answer = await feed(body);
      assert.deepEqual([answer.statusCode, answer.json().rejected], [200, []], answer.body);
    }
    const packed = await world.api.inject({
      method: 'POST',
      url: '/api/operator/v1/positions',
      headers: { authorization: 'Bearer operator-key-for-tests', 'content-encoding': 'gzip' },
      payload: gzipSync(JSON.stringify(position(5, '2026-01-04T00:00:00Z'))),
    });
    assert.deepEqual(packed.json(), { accepted: 1, rejected: [], rejectedTotal: 0 });
    assert.deepEqual(await cached(1), { x: '10', y: '20', radius: '30', qos: false, time: '20260104000000' });
    for (const n of [2, 3, 4, 5]) assert.equal((await cached(n)).x, '10', `device ${n}`);
  });

  it('200: keeps the newest position of a device, in whatever order they arrive', async () => {
    await feed(
      JSON.stringify([
        position(6, '2026-01-04T10:00:00Z', { lat: 11 }),
        position(6, '2026-01-04T12:00:00Z', { lat: 12 }),
        position(6, '2026-01-04T11:00:00Z', { lat: 13 }),
      ]),
    );
    await feed(JSON.stringify(position(6, '2026-01-04T09:00:00Z', { lat: 14 })));
    assert.equal((await cached(6)).x, '12');
  });

  it('200: rejects each invalid line with a reason, and accepts the rest', async () => {
    const lines = [
      position(7, '2026-01-04T00:00:00Z'),
      position(99, '2026-01-04T00:00:00Z'),
      position(7, '2026-01-06T00:00:00Z'),
      position(7, 'yesterday'),
      position(7, '2026-01-04T00:00:00Z', { lat: 91 }),
      { ...position(7, '2026-01-04T00:00:00Z'), kind: 'shoe' },
    ];
    const answer = (await feed(`${lines.map((line) => JSON.stringify(line)).join('\n')}\nno JSON`)).json();
    assert.deepEqual(answer, {
      accepted: 1,
      rejected: [
        { line: 2, reason: 'device is not known' },
        { line: 3, reason: 'at lies more than 300 seconds in the future' },
        { line: 4, reason: 'at is not a date-time' },
        { line: 5, reason: 'lat must be <= 90' },
        { line: 6, reason: 'kind is not a kind of identifier' },
        { line: 7, reason: 'is not valid JSON' },
      ],
      rejectedTotal: 6,
    });
  });

  // proves location/accuracy-of-the-cache
  it('200: uses positions marked as precise for precise requests, and their coarse form for others', async () => {
    const precise = { lat: 10.123456, radius: 5, accuracy: 'precise' };
    await feed(JSON.stringify(position(10, '2026-01-04T00:00:00Z', precise)));
    const { x, radius } = await cached(10);
    assert.deepEqual([x, radius], ['10.12', '1000']);
  });

  it('200: feeds that wait for locks on their devices leave half of the connections free, however many they are', async () => {
    const own = openTestDatabase(world.databaseUrl, { connections: 4 });
    const { db } = world.ctx;
    const lines = Array.from({ length: db.transactionsMax + 2 }, () => position(11, '2026-01-04T00:00:00Z'));
    let answers: Promise<{ accepted: number }[]> | undefined;
    const waiting = await own.tx(async (tx) => {
      await tx.exec(sql`select 1 from device where ecpd_id = '9000001' for update`);
      answers = Promise.all(lines.map(async (line) => (await feed(JSON.stringify(line))).json()));
      await untilWaiting(db, { unless: answers });
      // Enough round trips for the other feeds to get as far as the first one.
      for (let round = 0; round < 50; round++) await db.tx((other) => other.one(sql`select 1`));
      return countWaiting(db);
    });
    await own.close();
    assert.equal(waiting, db.transactionsMax / 2);
    for (const { accepted } of (await answers)!) assert.equal(accepted, 1);
  });

  // proves location/when-consent-counts
  it('never reveals the position of an excluded device', async () => {
    await feed(JSON.stringify(position(8, '2026-01-04T00:00:00Z')));
    await call('POST', '/loc/v1/consents', { accountName: ACCOUNT, exclusion: [imei(8)] });
    const answer = await call('POST', '/loc/v1/locations', {
      accountName: ACCOUNT,
      cacheMode: '0',
      deviceList: byImei(8),
    });
    assert.deepEqual([answer.statusCode, answer.json().errorMessage], [400, 'Consent check failed']);
  });
});

describe('PATCH /operator/v1/devices/{kind}/{id}/simulation', () => {
  const patch = (body: object, id = imei(9)) =>
    world.operator('PATCH', `/devices/imei/${id}/simulation`, body);

  it('200: changes the given settings, removes null ones, and returns the result', async () => {
    assert.deepEqual((await patch({ position: { lat: 1, lon: 2 }, delayMs: 5 })).json(), {
      position: { lat: 1, lon: 2 },
      delayMs: 5,
    });
    assert.deepEqual((await patch({ online: false, delayMs: null })).json(), {
      online: false,
      position: { lat: 1, lon: 2 },
    });
    assert.deepEqual(
      (await patch({ online: true, position: null, error: 'svc device data unavailable' })).statusCode,
      400,
    );
  });

  it('200: accepts an error type with any prefix', async () =>
    assert.equal(
      (await patch({ error: 'ACME DEVICE DATA UNAVAILABLE' })).json().error,
      'SVC DEVICE DATA UNAVAILABLE',
    ));

  it('200: ignores unknown members and does not store them', async () => {
    const before = (await patch({})).json();
    assert.deepEqual((await patch({ speed: 3 })).json(), before);
  });

  it('404: an unknown device', async () =>
    assert.equal((await patch({ online: true }, imei(98))).statusCode, 404));

  for (const [what, body] of [
    ['a place that is none', { position: { lat: 100, lon: 0 } }],
    ['an error that is no type', { error: 'TIRED' }],
  ] as const) {
    it(`400: refuses ${what}`, async () => assert.equal((await patch(body)).statusCode, 400));
  }

  it('409: if the network is real', async () => {
    const production = await makeWorld({ databaseUrl: world.databaseUrl, settings: { sandbox: false } });
    const network = await production.operator('PATCH', '/network/simulation', { condition: 'normal' });
    assert.equal(network.statusCode, 409);
    assert.equal((await production.operator('GET', '/network/simulation')).statusCode, 409);
    const answer = await production.operator('PATCH', `/devices/imei/${imei(9)}/simulation`, {
      online: false,
    });
    assert.deepEqual([answer.statusCode, answer.json().code], [409, 'network_real']);
  });

  // proves location/no-source
  it('without a network, a current request gets no location data and no bill, and the cache still works', async () => {
    const production = await makeWorld({ settings: { sandbox: false } });
    await production.import(LOCATION_FLEET);
    await production.operator('POST', '/positions', JSON.stringify(position(1, '2026-01-04T00:00:00Z')));
    const user = await asUser(production);
    const locate = async (cacheMode: string) =>
      (
        await user.call('POST', '/loc/v1/locations', {
          accountName: ACCOUNT,
          cacheMode,
          deviceList: byImei(1),
        })
      ).json()[0];
    assert.equal((await locate('2')).error.type, 'SVC DEVICE LOCATION DATA UNAVAILABLE');
    assert.equal((await locate('1')).pd.x, '10');
  });
});
