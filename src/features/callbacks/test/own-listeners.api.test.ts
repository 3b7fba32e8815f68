import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET, USER } from '../../../../test/support/fleet.ts';
import { openListener } from '../../../../test/support/listener.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { signIn } from '../../console/test/scene.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
world.delivery.start();
const { call: byTokens } = await asUser(world);
const browser = await signIn(world, USER);
const at = (path: string) => `/m2m/v1/callbacks/${ACCOUNT}${path}`;
type Call = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object) => Promise<Answer>;
type Answer = Awaited<ReturnType<typeof byTokens>>;
const principals: readonly (readonly [string, Call])[] = [
  ['tokens', (method, path, body) => byTokens(method, at(path), body)],
  ['cookie', (method, path, body) => browser.call(method, at(path), body)],
];
const answerOf = async (asked: Promise<Answer>) => {
  const answer = await asked;
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const readerOf = async (...scopes: string[]) => {
  const name = scopes.join('-');
  const { key } = (await world.operator('POST', '/keys', { name, scopes })).json();
  return signIn(world, { operatorKey: key });
};

describe('a listener, its health and test messages', () => {
  for (const [by, call] of principals)
    it(`200: is registered, gets a test message and is removed, by ${by}; its credentials are not shown`, async () => {
      const listener = await openListener();
      const registration = { url: listener.url, username: 'u', password: 'pass-word-1' };
      const { secret } = await answerOf(call('PUT', '/name/AlertService', registration));
      assert.match(secret, /^whsec_/);
      const sent = await answerOf(call('POST', '/test', { event: 'payAsYouGoAlert' }));
      await listener.next();
      assert.equal(listener.heard[0]!.body['requestId'], sent.requestId);
      const health = await call('GET', '/health');
      const [one] = health.json().listeners;
      assert.deepEqual([one.url, one.hasMessages, one.paused], [listener.url, true, false]);
      assert.doesNotMatch(health.body, /pass-word-1|whsec_/);
      await answerOf(call('DELETE', '/name/AlertService'));
      assert.equal((await call('DELETE', '/name/AlertService')).statusCode, 400);
    });

  it('200: the health names every callback service with its messages', async () => {
    const { services } = await answerOf(byTokens('GET', at('/health')));
    const carrier = services.find((one: { serviceName: string }) => one.serviceName === 'CarrierService');
    assert.ok(carrier.events.some(({ name }: { name: string }) => name === 'suspend'));
  });
});

describe('PUT /m2m/v1/callbacks/{accountName}/name/{service}', () => {
  for (const [by, call] of principals)
    it(`200: keeps credentials until they are removed, and shows a secret once, by ${by}`, async () => {
      const listener = await openListener();
      const change = (body: object) => call('PUT', '/name/niddservice', body);
      const heardBy = async (body: object) => {
        const heard = listener.heard.length;
        const changed = await answerOf(change(body));
        await call('POST', '/test', { event: 'niddUplink' });
        await listener.next(heard + 1);
        const { username, password } = listener.heard[heard]!.body;
        return { username, password, secret: typeof changed.secret };
      };
      const given = { username: 'u', password: 'pass-word-1' };
      const { url } = listener;
      assert.deepEqual(await heardBy({ url, ...given }), { ...given, secret: 'string' });
      assert.deepEqual(await heardBy({ url: `${url}?moved` }), { ...given, secret: 'undefined' });
      assert.deepEqual(await heardBy({ url, password: 'other', rotateSecret: true }), {
        username: 'u',
        password: 'other',
        secret: 'string',
      });
      const elsewhere = { url: (await openListener()).url };
      const refused = await change(elsewhere);
      assert.equal(refused.statusCode, 400);
      assert.match(refused.body, /give its username and password again, or remove them/);
      await answerOf(change({ ...elsewhere, ...given }));
      const removed = await heardBy({ url, removeCredentials: true });
      assert.ok(!removed.username && !removed.password);
      await answerOf(call('DELETE', '/name/NiddService'));
    });

  it('200: keeps no answer for its Idempotency-Key, because it can have a secret', async () => {
    const { url } = await openListener();
    const key = { 'idempotency-key': 'listener-1' };
    const change = () => byTokens('PUT', at('/name/DeviceUsage'), { url, rotateSecret: true }, key);
    assert.notEqual((await answerOf(change())).secret, (await answerOf(change())).secret);
    const kept = await world.ctx.db.many(sql`select from idempotent_answer where body like '%whsec_%'`);
    assert.equal(kept.length, 0);
    await byTokens('DELETE', at('/name/DeviceUsage'));
  });

  it('400: does not know a service that is not in the catalogue', async () => {
    const { errorCode } = (await byTokens('PUT', at('/name/Nothing'), { url: 'http://127.0.0.1:9/' })).json();
    assert.equal(errorCode, 'UnifiedWebService.INPUT_INVALID.Callback.ServiceName');
  });

  it('403: needs the scope callbacks of an operator, and fleet is not enough', async () => {
    const { url } = await openListener();
    const [fleet, callbacks] = [await readerOf('read', 'fleet'), await readerOf('callbacks')];
    for (const [method, path, body] of [
      ['PUT', '/name/Fota', { url }],
      ['POST', '/test', { event: 'niddUplink' }],
      ['POST', '/failed/resend', {}],
    ] as const) {
      const refused = await fleet.call(method, at(path), body);
      assert.deepEqual([refused.statusCode, refused.json().errorCode], [403, 'scope_missing'], path);
      assert.equal((await callbacks.call(method, at(path), body)).statusCode, 200, path);
    }
    await byTokens('DELETE', at('/name/Fota'));
  });
});

describe('GET /m2m/v1/callbacks/{accountName}/log', () => {
  for (const [by, call] of principals)
    it(`200: lists callbacks page by page, newest first, and one by its id, by ${by}`, async () => {
      for (let i = 0; i < 5; i++) {
        world.pass(1);
        await call('POST', '/test', { event: 'payAsYouGoAlert' });
      }
      for (const filter of ['', 'state=failed&', 'serviceName=AlertService&']) {
        const seen: { id: string; createdAt: string; lastOutcome: string | null }[] = [];
        let page = '';
        do {
          const { deliveries, next } = await answerOf(call('GET', `/log?${filter}limit=2${page}`));
          seen.push(...deliveries);
          page = next === undefined ? '' : `&page=${encodeURIComponent(next)}`;
        } while (page !== '');
        assert.ok(seen.length >= 5, filter);
        assert.equal(new Set(seen.map(({ id }) => id)).size, seen.length);
        assert.deepEqual(
          seen,
          seen.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)),
        );
        assert.ok((await answerOf(call('GET', `/deliveries/${seen[0]!.id}`))).payload);
      }
    });

  it('200: has the number of attempts and the outcome of the last one, without payloads', async () => {
    const listener = await openListener();
    await answerOf(byTokens('PUT', at('/name/NiddService'), { url: listener.url }));
    world.pass(1);
    const { id } = await answerOf(byTokens('POST', at('/test'), { event: 'niddUplink' }));
    await listener.next();
    await world.delivery.settle();
    const [one] = (await answerOf(byTokens('GET', at('/log?serviceName=NiddService&limit=1')))).deliveries;
    assert.deepEqual([one.id, one.attempts, one.lastOutcome, one.payload], [id, 1, '200', undefined]);
    await byTokens('DELETE', at('/name/NiddService'));
  });

  it('400: does not know a delivery that never was', async () => {
    const answer = await byTokens('GET', at(`/deliveries/${crypto.randomUUID()}`));
    assert.equal(answer.json().errorCode, 'UnifiedWebService.REQUEST_FAILED.Callback.NotFound');
  });
});

describe('failed callbacks', () => {
  it('200: are sent again alone, or those of their request', async () => {
    const requestId = 'sent-twice';
    const event = { accountName: ACCOUNT, serviceName: 'NiddService', requestId, payload: {} };
    for (let i = 0; i < 3; i++) await world.operator('POST', '/events', event);
    const { deliveries } = await answerOf(byTokens('GET', at(`/log?requestId=${requestId}`)));
    assert.equal(deliveries.length, 3);
    const listener = await openListener();
    await answerOf(byTokens('PUT', at('/name/NiddService'), { url: listener.url }));
    const resend = async (what: object) =>
      (await answerOf(byTokens('POST', at('/failed/resend'), what))).resent;
    assert.equal(await resend({ messageIds: [deliveries[0].id] }), 1);
    assert.equal(await resend({ requestId: 'another' }), 0);
    assert.equal(await resend({ requestId }), 2);
    await byTokens('DELETE', at('/name/NiddService'));
  });
});

describe('operators by cookie', () => {
  it('403: pausing a listener is refused to users, and a key that may only read changes nothing', async () => {
    const listener = { accountName: ACCOUNT, serviceName: 'AlertService' };
    const paused = await browser.call('POST', '/operator/v1/callbacks/pause', listener);
    assert.equal(paused.json().code, 'operators_only');
    const reader = await readerOf('read');
    for (const path of ['/log', '/health', '/failed', '/name/AlertService/figures?span=day'])
      assert.equal((await reader.call('GET', at(path))).statusCode, 200, path);
    const sent = await reader.call('POST', at('/test'), { event: 'payAsYouGoAlert' });
    assert.deepEqual([sent.statusCode, sent.json().errorCode], [403, 'scope_missing']);
    // Only this one shows passwords.
    assert.equal((await reader.call('GET', at(''))).statusCode, 403);
  });
});
