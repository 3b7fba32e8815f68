import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BROWSER, signIn } from '../../src/features/console/test/scene.ts';
import { sql, trusted } from '../../src/platform/db/sql.ts';
import { ACCOUNT, SMALL_FLEET, USER } from '../support/fleet.ts';
import { listRoutes } from '../support/routes.ts';
import { makeWorld, OPERATOR_KEY } from '../support/world.ts';

// The log of requests also contains refused calls.
const world = await makeWorld({ env: { LINEKEEPER_REQUEST_LOG: '0' } });
await world.import(SMALL_FLEET);
const operator = await signIn(world);
const routes = await listRoutes();
type Route = (typeof routes)[number];

const takesCookie = ({ config }: Route): boolean =>
  config?.cookie !== false &&
  ['session', 'account', 'operator', 'viewer'].includes(config?.access?.kind ?? '');

/** Existing ids for the parameters of paths. If nothing of a kind exists, its id is unknown. */
const VALUES: Readonly<Record<string, string>> = {
  accountName: ACCOUNT,
  kind: 'imei',
  id: '990000000000011',
  deviceId: (
    await world.ctx.db.one<{ id: string }>(sql`
      select device_id::text as id from device where account_name = ${ACCOUNT} limit 1`)
  ).id,
  serviceName: 'Location',
  month: '2026-01',
  status: 'added',
  startIndex: '0',
  category: 'PricePlanDataUsage',
  username: USER.username,
};
const NOTHING = '00000000-0000-4000-8000-000000000000';
const pathOf = ({ url, config }: Route): string => {
  const { access } = config!;
  const query = access?.kind === 'account' && access.at === 'query' ? `?${access.field}=${ACCOUNT}` : '';
  return `/api${url.replaceAll(/:(\w+)/g, (_, name: string) => VALUES[name] ?? NOTHING)}${query}`;
};
const bodyOf = ({ config }: Route): object => {
  const access = config!.access!;
  return access.kind === 'account' && access.at === 'body' ? { [access.field]: ACCOUNT } : {};
};

/** The content of every table, by its name. */
async function digest(): Promise<ReadonlyMap<string, string>> {
  const { db } = world.ctx;
  const tables = await db.many<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`);
  assert.ok(tables.length > 30);
  const digests = new Map<string, string>();
  for (const { name } of tables) {
    const { text } = await db.one<{ text: string }>(sql`
      select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as text from ${trusted(`"${name}"`)} t`);
    digests.set(name, text);
  }
  return digests;
}
const present = await digest();

/** The tables with any change. */
const changedTables = async (): Promise<string[]> =>
  [...(await digest())].flatMap(([name, text]) => (present.get(name) === text ? [] : [name]));

const FORGED: readonly (readonly [string, Record<string, string>])[] = [
  ['without the header', { 'sec-fetch-site': 'same-origin' }],
  ['with another header', { ...BROWSER, 'x-requested-by': 'form' }],
  ['of another site', { ...BROWSER, 'sec-fetch-site': 'cross-site' }],
  ['of the same site', { ...BROWSER, 'sec-fetch-site': 'same-site' }],
  ['of another origin', { 'x-requested-by': 'console', origin: 'https://evil.example' }],
];

describe('a cookie with a change that no page of the console makes is refused, and nothing happens', () => {
  const changing = routes.filter((route) => route.method !== 'GET' && takesCookie(route));
  const send = (route: Route, headers: Record<string, string>) =>
    world.api.inject({
      method: route.method as 'POST',
      url: pathOf(route),
      headers: { cookie: operator.cookie, 'idempotency-key': 'forged', ...headers },
      payload: bodyOf(route),
    });

  it('on every route that takes one, of which there are many', () => assert.ok(changing.length > 80));

  for (const route of changing) {
    it(`${route.method} ${route.url}`, async () => {
      for (const [what, headers] of FORGED) {
        const answer = await send(route, headers);
        assert.equal(answer.statusCode, 403, `${what}: ${answer.body}`);
        assert.match(answer.body, /request_forged/, what);
      }
      assert.deepEqual(await changedTables(), []);
    });
  }
});

describe('a cookie with a GET only reads', () => {
  /** A stream, which does not end on its own. */
  const ENDLESS = '/console/v1/accounts/:accountName/events';
  const reading = routes.filter(
    (route) => route.method === 'GET' && takesCookie(route) && route.url !== ENDLESS,
  );
  const headers = {
    cookie: operator.cookie,
    'x-account-name': ACCOUNT,
    'idempotency-key': 'reading',
    // Otherwise the use of the session is recorded once a minute.
    'x-unattended': 'true',
  };
  let answered = 0;

  for (const route of reading) {
    it(`GET ${route.url}`, async () => {
      const answer = await world.api.inject({ url: pathOf(route), headers });
      assert.ok(![401, 403, 500].includes(answer.statusCode), answer.body);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
      assert.equal(answer.headers['set-cookie'], undefined);
      assert.deepEqual(await changedTables(), []);
      if (answer.statusCode === 200) answered++;
    });
  }

  it('and most of them are answered', () =>
    assert.ok(answered > 0.7 * reading.length, `${answered} of ${reading.length}`));
});

describe('a cookie is ignored on routes that do not accept it', () => {
  const closed = routes.filter(
    (route) => !takesCookie(route) && route.config?.access?.kind !== 'public' && route.method !== 'GET',
  );

  for (const route of closed) {
    it(`401: ${route.method} ${route.url}`, async () => {
      const answer = await world.api.inject({
        method: route.method as 'POST',
        url: pathOf(route),
        headers: { cookie: operator.cookie, ...BROWSER },
        payload: bodyOf(route),
      });
      assert.equal(answer.statusCode, 401, answer.body);
    });
  }

  it('401: nor on any route together with a wrong token', async () => {
    for (const route of routes.filter(takesCookie)) {
      const answer = await world.api.inject({
        method: route.method as 'GET',
        url: pathOf(route),
        headers: { cookie: operator.cookie, ...BROWSER, authorization: `Bearer not-${OPERATOR_KEY}` },
        ...(route.method !== 'GET' && { payload: bodyOf(route) }),
      });
      assert.equal(answer.statusCode, 401, `${route.method} ${route.url} ${answer.body}`);
    }
  });
});
