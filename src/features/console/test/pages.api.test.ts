import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET, USER } from '../../../../test/support/fleet.ts';
import { openListener } from '../../../../test/support/listener.ts';
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

const remove = (service: string) => user.call('DELETE', `/m2m/v1/callbacks/${ACCOUNT}/name/${service}`);

describe('callbacks', () => {
  it('200: a listener is registered, hears a test event, and is removed; its credentials are not shown', async () => {
    const listener = await openListener();
    const path = at('/callbacks/listeners/AlertService');
    const registered = await user.send('PUT', path, {
      url: listener.url,
      username: 'u',
      password: 'pass-word-1',
    });
    assert.match(registered.json().secret, /^whsec_/);
    world.delivery.start();
    const hasMessages = async () =>
      (await read(user, at('/callbacks'))).listeners.map((one: { hasMessages: boolean }) => one.hasMessages);
    assert.deepEqual(await hasMessages(), [false]);
    const sent = await user.send('POST', at('/callbacks/test'), { event: 'payAsYouGoAlert' });
    await listener.next();
    assert.equal(listener.heard[0]!.body['requestId'], sent.json().requestId);
    assert.deepEqual(await hasMessages(), [true]);
    const listed = await user.get(at('/callbacks'));
    assert.equal(listed.json().listeners[0].url, listener.url);
    assert.doesNotMatch(listed.body, /pass-word-1/);
    assert.equal((await remove('AlertService')).statusCode, 200);
    assert.equal((await remove('AlertService')).statusCode, 400);
  });

  it('200: a changed listener keeps the credentials that are not given until they are to be removed, and tells a secret once', async () => {
    const listener = await openListener();
    const path = at('/callbacks/listeners/NiddService');
    const heardBy = async (body: object) => {
      const heard = listener.heard.length;
      const changed = await user.send('PUT', path, body);
      assert.equal(changed.statusCode, 200, changed.body);
      await user.send('POST', at('/callbacks/test'), { event: 'niddUplink' });
      await listener.next(heard + 1);
      const { username, password } = listener.heard[heard]!.body;
      return { username, password, secret: typeof changed.json().secret };
    };
    const given = { username: 'u', password: 'pass-word-1' };
    const url = listener.url;
    assert.deepEqual(await heardBy({ url, ...given }), { ...given, secret: 'string' });
    assert.deepEqual(await heardBy({ url: `${url}?moved` }), { ...given, secret: 'undefined' });
    assert.deepEqual(await heardBy({ url, password: 'other', rotateSecret: true }), {
      username: 'u',
      password: 'other',
      secret: 'string',
    });
    const elsewhere = { url: (await openListener()).url };
    const refused = await user.send('PUT', path, elsewhere);
    assert.equal(refused.statusCode, 400);
    assert.match(refused.body, /give its username and password again, or remove them/);
    assert.equal((await user.send('PUT', path, { ...elsewhere, ...given })).statusCode, 200);
    const removed = await heardBy({ url, removeCredentials: true });
    assert.ok(!removed.username && !removed.password);
    await remove('NiddService');
  });

  it('200: one that failed is sent again alone, or those of its request', async () => {
    const path = at('/callbacks/listeners/NiddService');
    const requestId = 'sent-twice';
    const event = { accountName: ACCOUNT, serviceName: 'NiddService', requestId, payload: {} };
    for (let i = 0; i < 3; i++) await world.operator('POST', '/events', event);
    const { deliveries } = await read(user, at(`/callbacks/deliveries?requestId=${requestId}`));
    assert.equal(deliveries.length, 3);
    const listener = await openListener();
    await user.send('PUT', path, { url: listener.url });
    const resend = async (what: object) =>
      (await user.send('POST', at('/callbacks/resend'), what)).json().resent;
    assert.equal(await resend({ messageIds: [deliveries[0].id] }), 1);
    assert.equal(await resend({ requestId: 'another' }), 0);
    assert.equal(await resend({ requestId }), 2);
    await remove('NiddService');
  });

  it('200: come page by page, newest first, and one by its id', async () => {
    for (let i = 0; i < 5; i++) {
      world.pass(1);
      await user.send('POST', at('/callbacks/test'), { event: 'payAsYouGoAlert' });
    }
    for (const filter of ['', 'state=failed&', 'serviceName=AlertService&']) {
      const seen: { id: string; createdAt: string }[] = [];
      let page = '';
      do {
        const { deliveries, next } = await read(user, at(`/callbacks/deliveries?${filter}limit=2${page}`));
        seen.push(...deliveries);
        page = next === undefined ? '' : `&page=${encodeURIComponent(next)}`;
      } while (page !== '');
      assert.ok(seen.length >= 5, filter);
      assert.equal(new Set(seen.map(({ id }) => id)).size, seen.length);
      assert.deepEqual(
        seen,
        seen.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)),
      );
      assert.ok((await read(user, at(`/callbacks/deliveries/${seen[0]!.id}`))).payload);
    }
  });

  it('403: users pause no listener, and a key that may only read changes nothing', async () => {
    const listener = { accountName: ACCOUNT, serviceName: 'AlertService' };
    const paused = await user.call('POST', '/operator/v1/callbacks/pause', listener);
    assert.equal(paused.json().code, 'operators_only');
    const { key } = (await world.operator('POST', '/keys', { name: 'reader', scopes: ['read'] })).json();
    const reader = await signIn(world, { operatorKey: key });
    assert.equal((await reader.get(at('/callbacks/deliveries'))).statusCode, 200);
    const sent = await reader.send('POST', at('/callbacks/test'), { event: 'payAsYouGoAlert' });
    assert.deepEqual([sent.statusCode, sent.json().code], [403, 'scope_missing']);
  });
});
