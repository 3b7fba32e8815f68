import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, MANAGED, USER } from '../../../../test/support/fleet.ts';
import { imei, LOCATION_FLEET } from '../../../../test/support/location-fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { type Browser, signIn } from './scene.ts';

const world = await makeWorld();
await world.import({ ...LOCATION_FLEET, consents: [{ accountName: ACCOUNT, level: 0 }] });
const user = await signIn(world, USER);
const operator = await signIn(world);
const AT = '2026-01-04T00:00:00.000Z';
const feed = async (numbers: readonly number[], at: string) => {
  const lines = numbers.map((n) => ({
    kind: 'imei',
    device: imei(n),
    at,
    lat: 30.12345,
    lon: -90,
    radius: 25,
    accuracy: 'precise',
  }));
  const answer = await world.operator(
    'POST',
    '/positions',
    lines.map((one) => JSON.stringify(one)).join('\n'),
  );
  assert.deepEqual(answer.json().rejected, []);
};
await feed([1, 2, 3, 4, 31], AT);
const read = async (browser: Browser, path = '') => {
  const answer = await browser.get(`/accounts/${ACCOUNT}/positions${path}`);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};

describe('positions', () => {
  it('200: are the last known ones of devices that can be located, in columns, for users and operators', async () => {
    for (const browser of [user, operator]) {
      const { ids, latitudes, radii, times, states, next } = await read(browser);
      assert.equal(ids.length, 4);
      assert.deepEqual(latitudes, [30.12345, 30.12345, 30.12345, 30.12345]);
      assert.deepEqual([radii[0], times[0] * 1_000, next], [25, Date.parse(AT), undefined]);
      assert.deepEqual(states, [1, 1, 1, 1]);
    }
  });

  it('200: come page by page, each once', async () => {
    const seen: string[] = [];
    let page = '?limit=2';
    while (page !== '') {
      const { ids, next } = await read(user, page);
      seen.push(...ids);
      page = next === undefined ? '' : `?limit=2&page=${next}`;
    }
    assert.deepEqual([seen.length, new Set(seen).size], [4, 4]);
  });

  it('200: of what came to be known since are the news, however late it comes', async () => {
    world.pass(60_000);
    const { newsSince } = await read(user);
    world.pass(60_000);
    assert.deepEqual((await read(user, `?since=${newsSince}`)).ids, []);
    const [later, between] = ['2026-01-04T12:00:00.000Z', '2026-01-04T06:00:00.000Z'];
    await feed([2], later);
    const news = await read(user, `?since=${newsSince}`);
    assert.deepEqual([news.ids.length, news.times[0] * 1_000, news.more], [1, Date.parse(later), false]);
    world.pass(60_000);
    await feed([3], between);
    const { times } = await read(user, `?since=${news.newsSince + 11}`);
    assert.deepEqual(times, [Date.parse(between) / 1_000]);
  });

  it('200: are told in the same way where consent is one for all devices and where they differ in it', async () => {
    const COLUMNS = ['names', 'latitudes', 'longitudes', 'radii', 'times', 'states'];
    const readAt = async (level: number) => {
      await world.import({ consents: [{ accountName: ACCOUNT, level }] });
      const { ids, ...columns } = await read(user);
      return new Map(ids.map((id: string, n: number) => [id, COLUMNS.map((name) => columns[name][n])]));
    };
    const common = [await readAt(3), await readAt(2), await readAt(0)];
    assert.deepEqual(
      common.map(({ size }) => size),
      [0, 4, 4],
    );
    await world.import({ exclusions: [{ accountName: ACCOUNT, allDevice: false, imeis: [imei(20)] }] });
    assert.deepEqual([await readAt(3), await readAt(2), await readAt(0)], common);
  });

  it('200: are coarse or left out as consent says now, whoever looks', async () => {
    await world.import({ consents: [{ accountName: ACCOUNT, level: 2 }] });
    for (const browser of [user, operator]) {
      const { latitudes, radii } = await read(browser);
      assert.deepEqual([latitudes[0], radii[0], radii.length], [30.12, 1_000, 4]);
    }
    await world.import({ exclusions: [{ accountName: ACCOUNT, allDevice: false, imeis: [imei(1)] }] });
    for (const browser of [user, operator]) {
      assert.equal((await read(browser)).ids.length, 3);
      assert.equal((await read(browser, `?since=${Date.parse(AT) / 1_000}`)).ids.length, 3);
    }
  });

  it('400: of an account that is not registered for device location are not told', async () => {
    const answer = await operator.get(`/accounts/${MANAGED}/positions`);
    assert.deepEqual([answer.statusCode, answer.json().title], [400, 'Unregistered account']);
  });
});
