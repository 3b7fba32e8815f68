import assert from 'node:assert/strict';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET, USER } from '../../../../test/support/fleet.ts';
import { makeWorld, OPERATOR_KEY, type World } from '../../../../test/support/world.ts';
import { BROWSER, signIn, trySignIn } from './scene.ts';

const FOREIGN = 'rebound.example:8080';
const PAGE = { accept: 'text/html' };

const world = await makeWorld({ env: { LINEKEEPER_ALLOWED_HOSTS: 'lab.example,Other.Example' } });
const { databaseUrl } = world;
await world.import(SMALL_FLEET);
const production = { mode: 'production', sandbox: false } as const;
const open = await makeWorld({ databaseUrl, settings: production });
const closed = await makeWorld({
  databaseUrl,
  settings: { ...production, allowedHosts: ['fleet.example'] },
});
const bound = await makeWorld({ databaseUrl, settings: { host: 'Sandbox.Internal' } });

const pageStatus = async ({ api }: World, headers: Record<string, string>, url = '/') =>
  (await api.inject({ url, headers: { ...PAGE, ...headers } })).statusCode;

describe('a request of a browser', () => {
  // proves operating/host-names
  it('421: under a foreign name has no effect, whatever shows that it is a browser', async () => {
    const { cookie } = await signIn(world);
    const pause = { method: 'POST', url: '/api/operator/v1/actions/pause', payload: {} } as const;
    const key = { authorization: `Bearer ${OPERATOR_KEY}` };
    for (const headers of [
      { ...BROWSER, cookie },
      { 'x-requested-by': 'console', cookie },
      { ...key, origin: `http://${FOREIGN}` },
      { ...key, origin: 'null' },
      { ...key, 'sec-fetch-site': 'none' },
      { ...key, 'sec-fetch-site': 'cross-site', 'x-forwarded-host': 'localhost' },
    ]) {
      const { statusCode, json } = await world.api.inject({
        ...pause,
        headers: { ...headers, host: FOREIGN },
      });
      assert.deepEqual([statusCode, json().fault.code], [421, '421'], JSON.stringify(headers));
    }
    assert.deepEqual((await world.operator('GET', '/audit?action=operatorPauseActions')).json(), []);
  });

  // proves operating/host-names
  it('421: gets no session and no page under a foreign name, also without any header of a browser', async () => {
    for (const headers of [BROWSER, { 'x-requested-by': 'console' }]) {
      const answer = await trySignIn(world, USER, { ...headers, host: FOREIGN });
      assert.deepEqual([answer.statusCode, answer.headers['set-cookie']], [421, undefined]);
    }
    for (const url of ['/', '/devices', '/favicon.svg'])
      assert.equal(await pageStatus(world, { host: FOREIGN }, url), 421, url);
  });

  // proves operating/host-names
  it('421: in a preflight, too', async () => {
    const cors = await makeWorld({ databaseUrl, env: { LINEKEEPER_CORS_ORIGINS: 'https://app.example' } });
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
    const ask = (host: string) =>
      cors.api.inject({ method: 'OPTIONS', url: '/api/operator/v1/accounts', headers: { ...headers, host } });
    assert.deepEqual([(await ask(FOREIGN)).statusCode, (await ask('localhost')).statusCode], [421, 204]);
  });

  // proves operating/host-names
  it('may use localhost, addresses of this machine, the bound name and the allowed names, with any port', async () => {
    for (const host of ['localhost', 'LOCALHOST:99', '127.0.0.1:8080', 'lab.example', 'other.example:443'])
      assert.equal(await pageStatus(world, { ...BROWSER, host }), 200, host);
    assert.equal(await pageStatus(bound, { host: 'sandbox.internal:80' }), 200);
    for (const host of ['lab.example.rebound.example', 'xlocalhost', '203.0.113.9', '[::', 'a b'])
      assert.equal(await pageStatus(world, { ...BROWSER, host }), 421, host);
    assert.equal(await pageStatus(bound, { host: 'lab.example' }), 421);
  });

  // proves operating/host-names
  it('may use the address at which it arrives', async () => {
    await world.api.listen({ host: '127.0.0.1', port: 0 });
    const { port } = world.api.server.address() as AddressInfo;
    const statusUnder = (host: string) =>
      new Promise((resolve, reject) => {
        const headers = { ...PAGE, ...BROWSER, host };
        get({ host: '127.0.0.1', port, path: '/', headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        }).once('error', reject);
      });
    assert.deepEqual([await statusUnder(`127.0.0.1:${port}`), await statusUnder(FOREIGN)], [200, 421]);
  });

  // proves operating/host-names
  it('may use any name in production, until names are listed', async () => {
    assert.equal(await pageStatus(open, { ...BROWSER, host: FOREIGN }), 200);
    assert.equal(await pageStatus(closed, { ...BROWSER, host: FOREIGN }), 421);
    assert.equal(await pageStatus(closed, { ...BROWSER, host: 'fleet.example' }), 200);
  });
});

describe('a program', () => {
  // proves operating/host-names
  it('200: may use any name', async () => {
    const { headers } = await asUser(world);
    for (const [url, more] of [
      [`/api/m2m/v1/plans/${ACCOUNT}`, headers],
      ['/api/operator/v1/accounts', { authorization: `Bearer ${OPERATOR_KEY}` }],
      ['/health/live', {}],
    ] as const)
      assert.equal(
        (await world.api.inject({ url, headers: { ...more, host: FOREIGN } })).statusCode,
        200,
        url,
      );
  });
});
