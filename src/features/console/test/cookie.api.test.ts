import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ACCOUNT,
  bearer,
  SMALL_FLEET,
  STRANGER,
  STRANGER_USER,
  USER,
} from '../../../../test/support/fleet.ts';
import { makeWorld, OPERATOR_KEY } from '../../../../test/support/world.ts';
import { BROWSER, signIn } from './scene.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
const DENIED = 'UnifiedWebService.REQUEST_FAILED.AccountName';

describe('the cookie on the routes of the interface and of operators', () => {
  const PLANS = `/m2m/v1/plans/${ACCOUNT}`;

  it('200: stands in for both tokens, with the accounts of its user', async () => {
    const user = await signIn(world, USER);
    assert.equal((await user.call('GET', PLANS)).statusCode, 200);
    const denied = await user.call('GET', `/m2m/v1/plans/${STRANGER}`);
    assert.deepEqual([denied.statusCode, denied.json().errorCode], [401, DENIED]);
  });

  it('200: of an operator opens what the key has the scope for, of any account', async () => {
    const { key } = (await world.operator('POST', '/keys', { name: 'looker', scopes: ['read'] })).json();
    const reader = await signIn(world, { operatorKey: key });
    for (const account of [ACCOUNT, STRANGER])
      assert.equal((await reader.call('GET', `/m2m/v1/plans/${account}`)).statusCode, 200);
    const query = { accountname: ACCOUNT, filter: {} };
    assert.equal((await reader.call('POST', '/dm/v1/devices/actions/query', query)).statusCode, 200);
    const changed = await reader.call('PATCH', '/dm/v1/devices', { ...query, id: ACCOUNT, device: {} });
    assert.equal(changed.json().error, 'scope_missing', changed.body);
    assert.equal((await reader.call('GET', '/operator/v1/keys')).json().code, 'scope_missing');
    const unknown = await reader.call('GET', '/m2m/v1/plans/0000000000-00000');
    assert.match(unknown.json().errorCode, /AccountNotFound/);
    await world.operator('DELETE', '/keys/looker');
  });

  it('200: of an operator names by a header for whom it calls a route that names no account', async () => {
    const operator = await signIn(world);
    const list = (headers: Record<string, string>) =>
      operator.call('GET', '/m2m/v2/triggers', undefined, { ...BROWSER, ...headers });
    assert.deepEqual((await list({ 'x-account-name': ACCOUNT })).json(), { triggers: [] });
    assert.equal((await list({})).statusCode, 400);
    assert.equal((await list({ 'x-account-name': '0000000000-00000' })).statusCode, 404);
  });

  it('403: of a user opens nothing of the operator API', async () => {
    const answer = await (await signIn(world, USER)).call('GET', '/operator/v1/accounts');
    assert.deepEqual([answer.statusCode, answer.json().code], [403, 'operators_only']);
  });

  it('401: says in every area what has happened to the session', async () => {
    const browser = await signIn(world);
    await browser.send('POST', '/sign-out');
    const codes = [];
    for (const path of [PLANS, '/operator/v1/accounts', '/m2m/v2/triggers', '/console/v1/session']) {
      const answer = await browser.call('GET', path);
      const { errorCode, error, code } = answer.json();
      codes.push([answer.statusCode, errorCode ?? error ?? code]);
    }
    assert.deepEqual(codes, Array(4).fill([401, 'session_invalid']));
  });

  it('is not looked at beside a token, a session or a key, whether these are right or wrong', async () => {
    const operator = await signIn(world);
    const right = { authorization: `Bearer ${await bearer(world.api)}` };
    for (const [path, headers, status] of [
      [PLANS, { authorization: 'Bearer wrong' }, 401],
      [PLANS, { authorization: '' }, 401],
      [PLANS, right, 400],
      [PLANS, { 'svc-m2m-token': 'wrong' }, 401],
      ['/operator/v1/accounts', { authorization: 'Bearer wrong' }, 401],
      ['/operator/v1/accounts', { 'svc-m2m-token': 'wrong' }, 401],
      ['/console/v1/session', right, 401],
      ['/console/v1/session', { authorization: `Bearer ${OPERATOR_KEY}` }, 401],
    ] as const)
      assert.equal(
        (await operator.call('GET', path, undefined, { ...headers })).statusCode,
        status,
        `${path} ${JSON.stringify(headers)}`,
      );
  });

  it('needs no header where a token comes with it: then no browser sends it by itself', async () => {
    const { cookie } = await signIn(world);
    const answer = await world.api.inject({
      method: 'POST',
      url: '/api/operator/v1/actions/resume',
      headers: { cookie, authorization: `Bearer ${OPERATOR_KEY}` },
    });
    assert.equal(answer.statusCode, 200, answer.body);
  });

  it('401: opens no login, and nothing that ends one', async () => {
    const user = await signIn(world, USER);
    for (const [method, path] of [
      ['POST', '/ts/v1/oauth2/token'],
      ['POST', '/m2m/v1/session/login'],
      ['POST', '/m2m/v1/session/logout'],
      ['PUT', '/m2m/v1/session/password/actions/reset'],
    ] as const)
      assert.equal((await user.call(method, path, {})).statusCode, 401, path);
  });

  it('201: of an operator makes keys and secrets with the scope for it, and the log says who', async () => {
    const made = await world.operator('POST', '/keys', { name: 'people', scopes: ['read', 'users'] });
    const people = await signIn(world, { operatorKey: made.json().key });
    const password = `/operator/v1/users/${STRANGER_USER.username}/password`;
    const answer = await people.call('POST', password);
    assert.equal(answer.statusCode, 200, answer.body);
    assert.match(answer.headers['cache-control'] as string, /no-store/);
    const asked = { name: 'more', scopes: ['admin'] };
    const refused = await people.call('POST', '/operator/v1/keys', asked);
    assert.deepEqual([refused.statusCode, refused.json().code], [403, 'scope_missing']);
    const admin = await signIn(world);
    assert.equal((await admin.call('POST', '/operator/v1/keys', asked)).statusCode, 201);
    const [entry] = (await world.operator('GET', '/audit?action=operatorResetPassword')).json();
    assert.deepEqual([entry.actor, entry.target, entry.status], ['people', STRANGER_USER.username, 200]);
    for (const name of ['people', 'more']) await world.operator('DELETE', `/keys/${name}`);
  });

  it("403: an operator's gets no secret of a customer's listener without admin", async () => {
    const { key } = (
      await world.operator('POST', '/keys', { name: 'caller', scopes: ['read', 'callbacks', 'fleet'] })
    ).json();
    const operator = await signIn(world, { operatorKey: key });
    const listeners = `/m2m/v1/callbacks/${ACCOUNT}`;
    for (const answer of [
      await operator.call('GET', listeners),
      await operator.call('POST', listeners, { name: 'AlertService' }),
    ])
      assert.deepEqual([answer.statusCode, answer.json().errorCode], [403, 'scope_missing']);
    await world.operator('DELETE', '/keys/caller');
  });

  it('is not allowed to pages of other origins, also not of those that may call with tokens', async () => {
    const origin = 'https://app.example';
    const { api } = await makeWorld({
      databaseUrl: world.databaseUrl,
      env: { LINEKEEPER_CORS_ORIGINS: origin },
    });
    const { cookie } = await signIn({ api });
    const asked = await api.inject({
      method: 'OPTIONS',
      url: `/api${PLANS}`,
      headers: { origin, 'access-control-request-method': 'GET' },
    });
    const read = await api.inject({ url: `/api${PLANS}`, headers: { origin, cookie } });
    assert.equal(read.headers['access-control-allow-origin'], origin);
    for (const { headers } of [asked, read])
      assert.equal(headers['access-control-allow-credentials'], undefined);
    const headers = { origin, cookie, 'x-requested-by': 'console' };
    const change = await api.inject({ method: 'POST', url: '/api/operator/v1/actions/pause', headers });
    assert.equal(change.json().code, 'request_forged');
  });

  it('401: opens nothing where the console is switched off', async () => {
    const { cookie } = await signIn(world);
    const { databaseUrl } = world;
    const { api } = await makeWorld({ databaseUrl, env: { LINEKEEPER_CONSOLE: 'off' } });
    const answer = await api.inject({ url: `/api/m2m/v1/plans/${ACCOUNT}`, headers: { cookie } });
    assert.equal(answer.json().fault.code, '900902');
  });
});
