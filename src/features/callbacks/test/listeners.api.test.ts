import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET, STRANGER_USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { LISTENER_SERVICES } from '../../callback-payloads/index.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
const { call } = await asUser(world);
const URL = 'http://127.0.0.1:9000/hook';
const LOOKUPS = 5;
const register = (body: object, path = 'm2m') => call('POST', `/${path}/v1/callbacks/${ACCOUNT}`, body);
const list = async (path = 'm2m') => (await call('GET', `/${path}/v1/callbacks/${ACCOUNT}`)).json();
const remove = (service: string, path = 'm2m') =>
  call('DELETE', `/${path}/v1/callbacks/${ACCOUNT}/name/${service}`);

describe('slow name lookups', () => {
  it('200: hold no database connection, even with an Idempotency-Key', async () => {
    const asked = Promise.withResolvers<void>();
    const found = Promise.withResolvers<undefined>();
    let lookups = 0;
    const slow = await makeWorld({
      checkAddress: () => {
        if (++lookups === LOOKUPS) asked.resolve();
        return found.promise;
      },
    });
    await slow.import(SMALL_FLEET);
    const user = await asUser(slow);
    const registrations = Promise.all(
      Array.from({ length: LOOKUPS }, (_, n) =>
        user.call(
          'POST',
          `/m2m/v1/callbacks/${ACCOUNT}`,
          { name: LISTENER_SERVICES[n], url: URL },
          { 'idempotency-key': `key-${n}` },
        ),
      ),
    );
    await asked.promise;
    await slow.ctx.db.tx((db) => db.many(sql`select 1`));
    found.resolve(undefined);
    for (const { statusCode } of await registrations) assert.equal(statusCode, 200);
  });
});

describe('a listing without listeners', () => {
  // proves 2.12/list callbacks/no-listeners
  it('is an empty list on every path', async () =>
    assert.deepEqual([await list(), await list('fota'), await list('loc')], [[], [], []]));
});

describe('registering a listener', () => {
  // proves 2.12/registration 4.10/callback-registration callbacks/registration
  it('200: returns both spellings of the names, and the secret in a header', async () => {
    const answer = await register({ name: 'CarrierService', url: URL, username: 'u', password: 'p' });
    assert.equal(answer.statusCode, 200, answer.body);
    assert.deepEqual(answer.json(), {
      accountName: ACCOUNT,
      serviceName: 'CarrierService',
      aname: ACCOUNT,
      name: 'CarrierService',
    });
    assert.match(String(answer.headers['webhook-secret']), /^whsec_[A-Za-z0-9+/]+=*$/);
  });

  // proves 2.12/list callbacks/registration
  it('200: accepts every name of the interface in any letter case, on every path into one registry', async () => {
    for (const [i, name] of LISTENER_SERVICES.entries()) {
      const path = ['m2m', 'fota', 'loc'][i % 3]!;
      assert.equal((await register({ name: name.toUpperCase(), url: URL }, path)).statusCode, 200, name);
    }
    const names = (await list('fota')).map(({ serviceName }: { serviceName: string }) => serviceName);
    assert.deepEqual(names.sort(), [...LISTENER_SERVICES].sort());
    assert.equal((await register({ name: 'Location', url: URL }, 'loc')).json().account, ACCOUNT);
  });

  // proves 6.2/rule-2 callbacks/secret callbacks/registering-again
  it('200: replaces a listener as a whole, keeps its secret, and rotates it on request', async () => {
    const first = await register({ name: 'AlertService', url: URL, username: 'u', password: 'p' });
    const second = await register({ name: 'AlertService', url: `${URL}2` });
    assert.equal(second.headers['webhook-secret'], first.headers['webhook-secret']);
    const third = await register({ name: 'AlertService', url: URL, rotateSecret: true });
    assert.notEqual(third.headers['webhook-secret'], first.headers['webhook-secret']);
    const listed = (await list()).find(({ name }: { name: string }) => name === 'AlertService');
    assert.deepEqual(listed, {
      accountName: ACCOUNT,
      serviceName: 'AlertService',
      aname: ACCOUNT,
      name: 'AlertService',
      url: URL,
    });
  });

  // proves 2.12/list callbacks/registration callbacks/no-url
  it('200: without a url it lists as the word undefined', async () => {
    await register({ name: 'StateService' });
    assert.equal(
      (await list()).find(({ name }: { name: string }) => name === 'StateService').url,
      'undefined',
    );
  });

  // proves 2.12/registration
  it('200: shows username and password to the owner, and keeps them sealed', async () => {
    await register({ name: 'DeviceUsage', url: URL, username: 'visible-user', password: 'visible-word' });
    const listed = (await list()).find(({ name }: { name: string }) => name === 'DeviceUsage');
    assert.deepEqual([listed.username, listed.password], ['visible-user', 'visible-word']);
    const rows = await world.ctx.db.many(sql`select to_jsonb(l) as row from callback_listener l`);
    assert.ok(!/visible-/.test(JSON.stringify(rows)));
  });

  // proves 8/callback-credentials
  it('200: accepts a username and a password of 40 characters', async () => {
    const longest = { username: 'u'.repeat(40), password: 'p'.repeat(40) };
    assert.equal((await register({ name: 'PromoChanges', url: URL, ...longest })).statusCode, 200);
    const listed = (await list()).find(({ name }: { name: string }) => name === 'PromoChanges');
    assert.deepEqual([listed.username, listed.password], [longest.username, longest.password]);
  });

  const wrong: Record<string, [object, RegExp]> = {
    'an unknown name': [{ name: 'NoSuchService', url: URL }, /ServiceName/],
    'a reserved name': [{ name: 'DevicePromoUsage', url: URL }, /ServiceName/],
    'a port outside the list': [{ name: 'AlertService', url: 'http://198.51.100.7:8081/' }, /Url/],
    'a private address': [{ name: 'AlertService', url: 'http://10.0.0.1/' }, /Url/],
    'another protocol': [{ name: 'AlertService', url: 'ftp://127.0.0.1:9000/' }, /Url/],
    'a username over 40 characters': [
      { name: 'AlertService', url: URL, username: 'x'.repeat(41) },
      /RequestUndefined/,
    ],
    'a password over 40 characters': [
      { name: 'AlertService', url: URL, password: 'x'.repeat(41) },
      /RequestUndefined/,
    ],
    'no name': [{ url: URL }, /RequestUndefined/],
  };
  for (const [name, [body, code]] of Object.entries(wrong)) {
    // proves 2.12/registration 6.2/rule-1 6.2/rule-3 8/callback-credentials callbacks/service-names
    it(`400: refuses ${name} and changes nothing`, async () => {
      const before = await list();
      const answer = await register(body);
      assert.equal(answer.statusCode, 400);
      assert.match(answer.json().errorCode, code);
      assert.deepEqual(await list(), before);
    });
  }

  it('400: uses the error code of the location area there', async () =>
    assert.equal((await register({ name: 'Nope', url: URL }, 'loc')).json().errorCode, 'INVALID_PARAMETER'));

  // proves 6.1/older-interface callbacks/older-interface
  it('400: does not touch a service registered through the older interface', async () => {
    await world.import({
      listeners: [{ accountName: ACCOUNT, serviceName: 'NiddService', url: URL, legacy: true }],
    });
    const answer = await register({ name: 'NiddService', url: URL });
    assert.match(answer.json().errorCode, /RegisteredElsewhere/);
    assert.match((await remove('NiddService')).json().errorCode, /RegisteredElsewhere/);
  });
});

describe('removing a listener', () => {
  it('200: returns the names, and success on the fota and loc paths', async () => {
    await register({ name: 'Fota', url: URL });
    assert.deepEqual((await remove('Fota', 'fota')).json(), {
      accountName: ACCOUNT,
      serviceName: 'Fota',
      aname: ACCOUNT,
      name: 'Fota',
      success: true,
    });
    await register({ name: 'Fota', url: URL });
    assert.equal((await remove('fota')).json().success, undefined);
  });

  it('400: for a service without a listener', async () => {
    assert.match((await remove('Fota')).json().errorCode, /NotRegistered/);
    assert.match((await remove('Nothing')).json().errorCode, /ServiceName/);
  });
});

it('401: a stranger cannot see or change the listeners of another account', async () => {
  const stranger = await asUser(world, STRANGER_USER);
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['DELETE', '/name/AlertService'],
    ['GET', '/deliveries'],
    ['POST', '/resend'],
  ] as const) {
    const answer = await stranger.call(
      method,
      `/m2m/v1/callbacks/${ACCOUNT}${path}`,
      method === 'GET' ? undefined : {},
    );
    assert.equal(answer.statusCode, 401, `${method} ${path}`);
  }
});
