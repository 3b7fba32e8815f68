import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BROWSER, type Browser, signIn } from '../../src/features/console/test/scene.ts';
import { ACCOUNT, asUser, SMALL_FLEET, STRANGER_USER } from '../support/fleet.ts';
import { listRoutes } from '../support/routes.ts';
import { makeWorld } from '../support/world.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
const { key } = (await world.operator('POST', '/keys', { name: 'feeder', scopes: ['feed'] })).json();
const stranger = await asUser(world, STRANGER_USER);
const strangersBrowser = await signIn(world, STRANGER_USER);
const feedersBrowser = await signIn(world, { operatorKey: key });
const operatorsBrowser = await signIn(world);
const all = await listRoutes();
type Route = (typeof all)[number];
const ofKind = (kind: string) => all.filter(({ config }) => config?.access?.kind === kind);
const ofAccounts = ofKind('account');

/** Data that belongs only to the account: none of it may appear in an answer to a stranger. */
const SECRETS = ['990000000000011', '5550100001', 'Acme'];
const tellsNothing = (body: string) => {
  for (const secret of SECRETS) assert.ok(!body.includes(secret), body);
};

const placeOf = ({ config }: Route) => {
  const access = config?.access;
  return access?.kind === 'account' ? access : { at: 'params', field: 'accountName' };
};
const pathOf = (route: Route): string => {
  const { at, field } = placeOf(route);
  const path = route.url.replaceAll(/:(\w+)/g, (_, name: string) => (name === field ? ACCOUNT : '0'));
  return at === 'query' ? `${path}?${field}=${ACCOUNT}` : path;
};
const bodyOf = (route: Route): object | undefined => {
  const { at, field } = placeOf(route);
  return at === 'body' ? { [field]: ACCOUNT } : undefined;
};
const callBy = (browser: Browser, route: Route) =>
  browser.call(route.method as 'GET', pathOf(route), bodyOf(route), {
    ...BROWSER,
    'x-account-name': ACCOUNT,
  });

describe("a user of another customer gets 401 and nothing of the account's data", () => {
  it('on every route that names an account, of which there are several', () =>
    assert.ok(ofAccounts.length >= 2));

  // proves 5/rule-3
  for (const route of ofAccounts)
    for (const [by, call] of [
      ['token', () => stranger.call(route.method, pathOf(route), bodyOf(route))],
      ['cookie', () => callBy(strangersBrowser, route)],
    ] as const)
      it(`by ${by}: ${route.method} ${route.url}`, async () => {
        const answer = await call();
        assert.equal(answer.statusCode, 401, answer.body);
        // The refusal must be for the account, not for a token that would be refused everywhere.
        assert.match(answer.body, /INVALID_ACCESS|REQUEST_FAILED\.AccountName|"denied"/);
        tellsNothing(answer.body);
      });
});

describe('on the operator API', () => {
  for (const route of ofKind('operator')) {
    it(`a session gives no access: ${route.method} ${route.url}`, async () =>
      assert.equal((await stranger.call(route.method, pathOf(route))).statusCode, 401));

    it(`a user's cookie gives no access: ${route.method} ${route.url}`, async () => {
      const answer = await callBy(strangersBrowser, route);
      const closed = route.config?.cookie === false;
      assert.deepEqual(
        [answer.statusCode, answer.json().code],
        closed ? [401, 'key_missing'] : [403, 'operators_only'],
      );
    });
  }
});

describe("an operator's cookie gives no access without the scope", () => {
  const scoped = all.filter(
    ({ config, url }) =>
      config?.cookie !== false &&
      ['session', 'account', 'operator', 'viewer'].includes(config?.access?.kind ?? '') &&
      !(config?.access?.kind === 'operator' && config.access.scope === 'feed') &&
      // A stream, which would not end for callers with access.
      !url.endsWith('/events'),
  );
  let refused = 0;

  for (const route of scoped)
    it(`${route.method} ${route.url}`, async () => {
      const answer = await callBy(feedersBrowser, route);
      tellsNothing(answer.body);
      if (answer.body.includes('scope_missing')) {
        assert.equal(answer.statusCode, 403);
        refused++;
        return;
      }
      // The body is checked first, and refused regardless of the caller.
      assert.equal(answer.statusCode, 400, answer.body);
      assert.equal((await callBy(operatorsBrowser, route)).statusCode, 400);
    });

  it('and most of them say so', () => assert.ok(refused > 0.5 * scoped.length, `${refused}`));
});

describe('on the console', () => {
  for (const route of ofKind('viewer')) {
    it(`a caller who is not signed in gets nothing: ${route.method} ${route.url}`, async () => {
      const headers = { ...stranger.headers, 'x-requested-by': 'console' };
      const answer = await world.api.inject({
        method: route.method as 'GET',
        url: `/api${pathOf(route)}`,
        headers,
      });
      assert.equal(answer.statusCode, 401, answer.body);
    });

    if (route.url.includes(':accountName'))
      // proves refusals/no-access
      it(`a user of another customer gets 403 and nothing of the account's data: ${route.method} ${route.url}`, async () => {
        const answer = await callBy(strangersBrowser, route);
        assert.equal(answer.statusCode, 403, answer.body);
        tellsNothing(answer.body);
      });
  }
});
