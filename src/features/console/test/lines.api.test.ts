import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, MANAGED, SMALL_FLEET, STRANGER, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { type Browser, signIn } from './scene.ts';

const world = await makeWorld();
const imeiOf = (n: number) => `99000000000030${n}`;
await world.import({
  ...SMALL_FLEET,
  devices: [
    ...SMALL_FLEET.devices,
    ...Array.from({ length: 5 }, (_, n) => ({
      accountName: n === 4 ? MANAGED : ACCOUNT,
      imei: imeiOf(n),
      state: n === 3 ? 'suspend' : 'active',
      servicePlan: 'P-5MB',
      labels: n === 1 ? [{ name: 'VIN', value: '1' }] : [],
      record: { name: `Van ${n}` },
      ...(n === 2 && { simulation: { online: false } }),
    })),
  ],
});
const user = await signIn(world, USER);
const operator = await signIn(world);
const at = (path: string, account = ACCOUNT) => `/accounts/${account}${path}`;
const read = async (browser: Browser, path: string) => {
  const answer = await browser.get(path);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
interface Listed {
  readonly deviceId: string;
  readonly name: string | null;
  readonly labels: object[];
}
const list = async (query: string): Promise<Listed[]> => (await read(user, at(`/devices?${query}`))).devices;
const names = async (query: string) => (await list(query)).map(({ name }) => name);
const idOf = async (n: number) => (await list(`search=${imeiOf(n)}`))[0]!.deviceId;
const label = (browser: Browser, deviceIds: readonly string[], name: string, value: string | null) =>
  browser.send('POST', at('/devices/labels'), { deviceIds, name, value });

describe('the list of devices', () => {
  it('200: is filtered by plan, state, label and whether active lines are online', async () => {
    assert.deepEqual(await names('label=VIN'), ['Van 1']);
    assert.deepEqual(await names('label=VIN%3D1'), ['Van 1']);
    assert.deepEqual(await names('label=VIN%3D2'), []);
    assert.deepEqual(await names('online=false'), ['Van 2']);
    assert.deepEqual(await names('plan=P-5MB&state=suspend'), ['Van 3']);
    assert.deepEqual(await names('plan=none'), []);
    assert.deepEqual((await names('online=true&search=van')).sort(), ['Van 0', 'Van 1']);
  });

  it('200: is read from either end, page by page, each device once', async () => {
    const oldest = await names('');
    const seen: (string | null)[] = [];
    let page = '';
    do {
      const { devices, next } = await read(user, at(`/devices?order=newest&limit=2${page}`));
      seen.push(...devices.map(({ name }: Listed) => name));
      page = next === undefined ? '' : `&page=${next}`;
    } while (page !== '');
    assert.deepEqual(seen, oldest.toReversed());
  });

  it('200: is counted with the same filters', async () => {
    const count = (query: string) => read(user, at(`/device-count?${query}`));
    assert.deepEqual(await count(''), { count: 5, exact: true });
    assert.deepEqual(await count('state=suspend'), { count: 1, exact: true });
    assert.deepEqual(await count('search=van&online=true'), { count: 2, exact: true });
    assert.deepEqual(await count('search=nothing'), { count: 0, exact: true });
  });
});

describe('lines of devices that were chosen elsewhere', () => {
  const linesOf = (browser: Browser, deviceIds: readonly string[]) =>
    browser.send('POST', at('/devices/lines'), { deviceIds });

  it('200: have what calls that change them need, and only what the account has', async () => {
    const { devices } = await read(operator, at('/devices', STRANGER));
    const ids = [await idOf(3), await idOf(0), devices[0].deviceId, crypto.randomUUID()];
    const { lines } = (await linesOf(user, ids)).json();
    assert.deepEqual(
      (lines as Listed[]).toSorted((one, other) => one.name!.localeCompare(other.name!)),
      [
        {
          ...{ deviceId: ids[1], name: 'Van 0', state: 'active' },
          ids: [{ kind: 'imei', id: imeiOf(0) }],
        },
        {
          ...{ deviceId: ids[0], name: 'Van 3', state: 'suspend' },
          ids: [{ kind: 'imei', id: imeiOf(3) }],
        },
      ],
    );
  });

  it('400: are ten thousand at most', async () => {
    const ids = Array.from({ length: 10_001 }, () => crypto.randomUUID());
    assert.equal((await linesOf(user, ids)).statusCode, 400);
    assert.deepEqual((await linesOf(user, ids.slice(1))).json(), { lines: [] });
  });
});

describe('labels', () => {
  it('200: are given to the devices that lack them, changed, and taken away, each once', async () => {
    const ids = [await idOf(0), await idOf(1)];
    assert.deepEqual((await label(user, ids, 'VIN', '1')).json(), { changed: 1 });
    assert.deepEqual((await label(user, ids, 'VIN', '2')).json(), { changed: 2 });
    assert.deepEqual((await label(user, [ids[0]!, ids[0]!], 'Depot', 'North')).json(), { changed: 1 });
    const [first] = await list(`search=${imeiOf(0)}`);
    assert.deepEqual(first?.labels, [
      { name: 'VIN', value: '2' },
      { name: 'Depot', value: 'North' },
    ]);
    assert.deepEqual((await label(user, ids, 'VIN', null)).json(), { changed: 2 });
    assert.deepEqual(await names('label=VIN'), []);
    assert.deepEqual((await list(`search=${imeiOf(0)}`))[0]?.labels, [{ name: 'Depot', value: 'North' }]);
  });

  it('200: of devices that the account does not have stay as they are', async () => {
    const foreign = async (account: string) => {
      const { devices } = await read(operator, at('/devices', account));
      return (devices as Listed[]).map(({ deviceId }) => deviceId);
    };
    const ids = [...(await foreign(STRANGER)), ...(await foreign(MANAGED))];
    assert.ok(ids.length >= 2);
    assert.deepEqual((await label(user, ids, 'Mine', 'yes')).json(), { changed: 0 });
    assert.deepEqual((await read(operator, at('/device-count?label=Mine', STRANGER))).count, 0);
  });

  it('200: are not written again where they are already', async () => {
    const ids = [await idOf(3)];
    assert.deepEqual((await label(user, ids, 'Once', '1')).json(), { changed: 1 });
    assert.deepEqual((await label(user, ids, 'Once', '1')).json(), { changed: 0 });
  });

  it('403: are not for an operator who may only read', async () => {
    const key = (await world.operator('POST', '/keys', { name: 'reader', scopes: ['read'] })).json().key;
    const reader = await signIn(world, { operatorKey: key });
    assert.equal((await label(reader, [await idOf(0)], 'Mine', 'yes')).statusCode, 403);
  });
});
