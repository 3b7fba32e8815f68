import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, MANAGED, USER } from '../../../../test/support/fleet.ts';
import { imei, LOCATION_FLEET } from '../../../../test/support/location-fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { purgePositions } from '../../locations/jobs.ts';
import { type Browser, signIn } from './scene.ts';

const world = await makeWorld();
const { db } = world.ctx;
await world.import({ ...LOCATION_FLEET, consents: [{ accountName: ACCOUNT, level: 0 }] });
const user = await signIn(world, USER);
const operator = await signIn(world);
const deviceIdOf = async (n: number) =>
  (
    await db.one<{ id: string }>(sql`
      select device_id as id from device where imei = ${imei(n)}`)
  ).id;
const first = await deviceIdOf(1);
const at = (hour: number) => `2026-01-04T${String(hour).padStart(2, '0')}:00:00.000Z`;

interface Fed {
  readonly n?: number;
  readonly hour: number;
  readonly lat: number;
  readonly accuracy?: string;
}
async function feed(...fixes: readonly Fed[]): Promise<void> {
  const lines = fixes.map(({ n = 1, hour, lat, accuracy = 'precise' }) =>
    JSON.stringify({ kind: 'imei', device: imei(n), at: at(hour), lat, lon: -90, radius: 25, accuracy }),
  );
  assert.deepEqual((await world.operator('POST', '/positions', lines.join('\n'))).json().rejected, []);
}

const ask = (browser: Browser, query = '', deviceId = first) =>
  browser.get(`/accounts/${ACCOUNT}/devices/${deviceId}/positions${query}`);
async function read(browser: Browser, query = '', deviceId = first) {
  const answer = await ask(browser, query, deviceId);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
}
const latitudes = ({ fixes }: { fixes: { latitude: number }[] }) => fixes.map(({ latitude }) => latitude);

await feed(
  { hour: 3, lat: 30.33333 },
  { hour: 1, lat: 30.11111 },
  { hour: 2, lat: 30.22222 },
  { n: 2, hour: 1, lat: 40 },
);

describe('where a device was', () => {
  it('200: is every fix that was fed, newest first, whatever order they came in, for users and operators', async () => {
    for (const browser of [user, operator]) {
      const history = await read(browser);
      assert.deepEqual(latitudes(history), [30.33333, 30.22222, 30.11111]);
      assert.deepEqual(history.fixes[0], {
        ...{ at: at(3), accuracy: 'precise', latitude: 30.33333, longitude: -90, radiusM: 25 },
      });
      assert.deepEqual([history.shown, history.next], ['precise', undefined]);
    }
  });

  it('200: has one fix for a moment, the precise one, however often it is fed', async () => {
    await feed({ n: 3, hour: 1, lat: 31.5, accuracy: 'coarse' });
    await feed({ n: 3, hour: 1, lat: 31.55555 }, { n: 3, hour: 1, lat: 31.5, accuracy: 'coarse' });
    await feed({ n: 3, hour: 1, lat: 31.55555 });
    assert.deepEqual(latitudes(await read(user, '', await deviceIdOf(3))), [31.55555]);
  });

  it('200: comes page by page and by span of time', async () => {
    const { next, ...page } = await read(user, '?limit=2');
    assert.deepEqual(latitudes(page as never), [30.33333, 30.22222]);
    assert.deepEqual(latitudes(await read(user, `?to=${next}&limit=2`)), [30.11111]);
    const span = `?from=${Date.parse(at(2))}&to=${Date.parse(at(3))}`;
    assert.deepEqual(latitudes(await read(user, span)), [30.22222]);
  });

  it('200: has what a request found out, and nothing is billed for looking at it', async () => {
    const located = await deviceIdOf(4);
    const answer = await user.call('POST', '/loc/v1/locations', {
      accountName: ACCOUNT,
      ...{ accuracyMode: '0', cacheMode: '2', deviceList: [{ id: imei(4), kind: 'imei' }] },
    });
    assert.equal(answer.statusCode, 200, answer.body);
    const billed = async () => (await db.many(sql`select from service_transaction`)).length;
    const before = await billed();
    assert.equal((await read(user, '', located)).fixes.length, 1);
    assert.equal(await billed(), before);
  });

  it('200: is coarse or withheld as consent says now, whoever looks, and whole again with it', async () => {
    await world.import({ consents: [{ accountName: ACCOUNT, level: 2 }] });
    for (const browser of [user, operator]) {
      const { shown, fixes } = await read(browser);
      assert.deepEqual([shown, fixes[0].latitude, fixes[0].radiusM], ['coarse', 30.33, 1_000]);
    }
    await world.import({ exclusions: [{ accountName: ACCOUNT, allDevice: false, imeis: [imei(1)] }] });
    for (const browser of [user, operator])
      assert.deepEqual(await read(browser), { shown: 'withheld', fixes: [] });
    await world.import({
      exclusions: [{ accountName: ACCOUNT, allDevice: false, imeis: [] }],
      consents: [{ accountName: ACCOUNT, level: 0 }],
    });
    assert.deepEqual(latitudes(await read(user)), [30.33333, 30.22222, 30.11111]);
  });

  it('400: of an account that is not registered for device location is not shown', async () => {
    const answer = await operator.get(`/accounts/${MANAGED}/devices/${first}/positions`);
    assert.ok([400, 404].includes(answer.statusCode), answer.body);
  });

  it('404: of a device that the account has not is not found', async () => {
    assert.equal((await ask(user, '', '00000000-0000-4000-8000-000000000000')).statusCode, 404);
  });

  it('200: is gone when the operator erases the positions of the device, and of nobody else', async () => {
    const erased = await world.operator('DELETE', `/devices/imei/${imei(1)}/positions`);
    assert.ok(erased.statusCode < 300, erased.body);
    assert.deepEqual((await read(user)).fixes, []);
    assert.equal((await read(user, '', await deviceIdOf(2))).fixes.length, 1);
  });

  it('200: is gone when it has been kept for thirty days', async () => {
    await feed({ n: 2, hour: 2, lat: 41 });
    world.pass(31 * 86_400_000);
    const { signal } = new AbortController();
    await purgePositions({ positions: 365, history: 30 }).run(world.ctx, {}, { signal } as never);
    assert.deepEqual(await db.many(sql`select from position_history`), []);
    assert.notDeepEqual(await db.many(sql`select from device_position`), []);
  });
});
