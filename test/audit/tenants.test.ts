import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signIn } from '../../src/features/console/test/scene.ts';
import { ACCOUNT, asUser, SMALL_FLEET, STRANGER_USER } from '../support/fleet.ts';
import { listRoutes } from '../support/routes.ts';
import { makeWorld } from '../support/world.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
const stranger = await asUser(world, STRANGER_USER);
const all = await listRoutes();
const routes = all.filter(({ config }) => config?.access?.kind === 'account');

/** What belongs to the account and to nobody else: none of it may stand in an answer to a stranger. */
const SECRETS = ['990000000000011', '5550100001', 'Acme'];

describe("a user of another customer gets 401 and nothing of the account's data", () => {
  it('on every route that names an account, of which there are some', () => assert.ok(routes.length >= 2));

  for (const { method, url, config } of routes) {
    // proves 5/rule-3
    it(`${method} ${url}`, async () => {
      const access = config!.access!;
      assert.ok(access.kind === 'account');
      const path = url.replaceAll(/:(\w+)/g, (_, name: string) => (name === access.field ? ACCOUNT : '0'));
      const query = access.at === 'query' ? `?${access.field}=${ACCOUNT}` : '';
      const answer = await stranger.call(
        method,
        `${path}${query}`,
        access.at === 'body' ? { [access.field]: ACCOUNT } : undefined,
      );
      assert.equal(answer.statusCode, 401, answer.body);
      // Refused for the account, not for a token that would be refused everywhere.
      assert.match(answer.body, /INVALID_ACCESS|REQUEST_FAILED\.AccountName|"denied"/);
      for (const secret of SECRETS) assert.ok(!answer.body.includes(secret), answer.body);
    });
  }
});

describe('on the operator API', () => {
  for (const { method, url } of all.filter(({ config }) => config?.access?.kind === 'operator')) {
    it(`a session opens nothing: ${method} ${url}`, async () => {
      const answer = await stranger.call(method, url.replaceAll(/:\w+/g, 'x'));
      assert.equal(answer.statusCode, 401);
    });
  }
});

const browser = await signIn(world, STRANGER_USER);

describe('on the console', () => {
  const viewed = all.flatMap(({ method, url, config }) =>
    config?.access?.kind === 'viewer' ? [{ method, url, of: config.access.of }] : [],
  );
  const pathOf = (url: string) =>
    url
      .replace('/console/v1', '')
      .replaceAll(/:(\w+)/g, (_, name: string) => (name === 'accountName' ? ACCOUNT : '0'));

  for (const { method, url, of } of viewed) {
    it(`nobody who is not signed in gets anything: ${method} ${url}`, async () => {
      const headers = { ...stranger.headers, 'x-requested-by': 'console' };
      const answer = await world.api.inject({
        method: method as 'GET',
        url: `/api/console/v1${pathOf(url)}`,
        headers,
      });
      assert.equal(answer.statusCode, 401, answer.body);
    });

    if (of !== 'console')
      // proves refusals/no-access
      it(`a user of another customer gets 403 and nothing of the account's data: ${method} ${url}`, async () => {
        const answer = await browser.send(method as 'GET', pathOf(url));
        assert.equal(answer.statusCode, 403, answer.body);
        for (const secret of SECRETS) assert.ok(!answer.body.includes(secret), answer.body);
      });
  }
});
