import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { type Browser, signIn } from './scene.ts';

const world = await makeWorld();
await world.import({
  ...SMALL_FLEET,
  devices: [
    ...SMALL_FLEET.devices,
    ...Array.from({ length: 5 }, (_, n) => ({
      accountName: ACCOUNT,
      imei: `99000000000010${n}`.padEnd(15, '7'),
      mac: `AA:BB:CC:00:00:0${n}`,
      state: n === 4 ? 'pre-active' : 'active',
      ...(n !== 4 && { servicePlan: 'P-5MB' }),
      record: { name: `Meter ${n} 100%` },
    })),
  ],
});
await world.operator('POST', '/usage', {
  id: 'u1',
  kind: 'imei',
  device: '990000000000011',
  at: world.ctx.now(),
  bytes: 1_000,
});
const user = await signIn(world, USER);
const operator = await signIn(world);
const at = (path: string) => `/accounts/${ACCOUNT}${path}`;
const read = async (browser: Browser, path: string) => {
  const answer = await browser.get(path);
  assert.equal(answer.statusCode, 200, answer.body);
  assert.equal(answer.headers['cache-control'], 'no-store');
  return answer.json();
};

describe('the overview', () => {
  it('200: adds up what was used of the allowance of all active lines', async () => {
    const usage = await read(user, at('/overview/usage'));
    assert.deepEqual([usage.usedBytes, usage.allowanceBytes], [1_000, 5 * 5_242_880]);
    assert.equal(usage.days.length, 60);
    assert.deepEqual(usage.days.at(-1), { day: '2026-01-05', bytes: 1_000 });
    assert.deepEqual(usage.states, [
      { state: 'active', devices: 5 },
      { state: 'pre-active', devices: 1 },
    ]);
  });

  it('200: tells of each plan how many active lines are on it, what they used and what they may', async () => {
    const { plans } = await read(user, at('/overview/usage'));
    assert.deepEqual(plans, [
      {
        planCode: 'P-5MB',
        planName: '5 MB',
        lines: 5,
        usedBytes: 1_000,
        allowanceBytes: 5 * 5_242_880,
      },
    ]);
  });

  it('200: has what each account used of its allowance, whichever profiles the accounts are of', async () => {
    const { accounts } = await read(operator, '/accounts?usage=true');
    const of = (name: string) => accounts.find((one: { accountName: string }) => one.accountName === name);
    const { usedBytes, allowanceBytes, activeLines } = of(ACCOUNT).usage;
    assert.deepEqual([usedBytes, allowanceBytes, activeLines], [1_000, 5 * 5_242_880, 5]);
    assert.ok(new Set(SMALL_FLEET.accounts.map(({ ecpdId }) => ecpdId)).size > 1);
    for (const { accountName } of SMALL_FLEET.accounts.filter((one) => one.accountName !== ACCOUNT))
      assert.equal(of(accountName).usage.usedBytes, 0);
  });

  it('200: shows what was used at once, to each account its own', async () => {
    const used = async () => [
      (await read(user, at('/overview/usage'))).usedBytes,
      ...(await read(user, '/accounts?usage=true')).accounts.map(
        (one: { usage: { usedBytes: number } }) => one.usage.usedBytes,
      ),
    ];
    const stranger = '/accounts/0000999999-00009/overview/usage';
    const [before] = await used();
    assert.equal((await read(operator, stranger)).usedBytes, 0);
    const record = { kind: 'imei', device: '990000000000011', at: world.ctx.now(), bytes: 5 };
    await world.operator('POST', '/usage', { id: 'at once', ...record });
    assert.deepEqual(await used(), [before + 5, before + 5]);
    assert.equal((await read(operator, stranger)).usedBytes, 0);
  });

  it('200: lists the accounts of the viewer: of a user the own, of an operator all', async () => {
    const names = async (browser: Browser) =>
      (await read(browser, '/accounts')).accounts.map((one: { accountName: string }) => one.accountName);
    assert.deepEqual(await names(user), [ACCOUNT]);
    assert.equal((await names(operator)).length, SMALL_FLEET.accounts.length);
  });

  it('200: has every day of firings, also those without any', async () =>
    assert.equal((await read(user, at('/overview/firings'))).days.length, 60));
});

describe('devices', () => {
  const names = async (query: string) =>
    (await read(user, at(`/devices?${query}`))).devices.map((one: { name: string | null }) => one.name);

  it('200: are found by the beginning of an identifier of any kind, in any letter case, and by a part of the name', async () => {
    assert.deepEqual(await names('search=9900000000000'), [null]);
    assert.deepEqual(await names('search=aa:bb:cc:00:00:03'), ['Meter 3 100%']);
    assert.deepEqual(await names('search=meter%201'), ['Meter 1 100%']);
    assert.equal((await names('search=%25')).length, 5);
    assert.deepEqual(await names('search=_'), []);
    assert.deepEqual(await names('state=pre-active'), ['Meter 4 100%']);
  });

  it('200: come page by page, each once', async () => {
    const seen: string[] = [];
    let page = '';
    do {
      const { devices, next } = await read(user, at(`/devices?limit=2${page}`));
      seen.push(...devices.map((one: { deviceId: string }) => one.deviceId));
      page = next === undefined ? '' : `&page=${next}`;
    } while (page !== '');
    assert.equal(new Set(seen).size, 6);
    assert.equal(seen.length, 6);
  });

  it('200: have usage, plan and consent, and never where they are', async () => {
    const [device] = (await read(user, at('/devices?search=990000000000011'))).devices;
    assert.equal(device.usedBytes, 1_005);
    const detail = await user.get(at(`/devices/${device.deviceId}`));
    assert.equal(detail.json().servicePlan, 'P-5MB');
    assert.doesNotMatch(detail.body, /simulation|position|"lat/);
    const { days, consents } = detail.json();
    assert.deepEqual([days.length, days.at(-1).bytes], [90, 1_005]);
    assert.ok(Array.isArray(consents.intervals));
  });

  it('404: of another account are as unknown as those that do not exist', async () => {
    const [foreign] = (await read(operator, '/accounts/0000999999-00009/devices')).devices;
    const answer = await user.get(at(`/devices/${foreign.deviceId}`));
    assert.deepEqual([answer.statusCode, answer.json().code], [404, 'device_unknown']);
  });
});
