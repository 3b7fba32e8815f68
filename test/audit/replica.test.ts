import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NEVER_FROM_REPLICA } from '../../src/app/replica.ts';
import { signIn } from '../../src/features/console/test/scene.ts';
import type { Db } from '../../src/platform/db/db.ts';
import { type Query, sql } from '../../src/platform/db/sql.ts';
import { statementFacts } from '../../src/platform/db/statement-facts.ts';
import { ACCOUNT, asUser, SMALL_FLEET, USER } from '../support/fleet.ts';
import { listRoutes } from '../support/routes.ts';
import { makeWorld } from '../support/world.ts';

const inBody = { accountname: ACCOUNT };
const records = { ...inBody, resourceidentifier: {}, filter: { $limitnumber: 10 } };
const usage = {
  accountName: ACCOUNT,
  earliest: '2026-01-01T00:00:00Z',
  latest: '2026-01-05T00:00:00Z',
  deviceId: { kind: 'imei', id: '990000000000011' },
};

/** Every route that may read from a replica, with a call: a new one needs a deliberate line here. */
const CALLS: Record<string, { readonly path?: string; readonly body?: object }> = {
  'POST /m2m/v1/devices/actions/list': { body: { accountName: ACCOUNT } },
  'POST /m2m/v1/devices/usage/actions/list': { body: usage },
  'POST /m2m/v1/accounts/subscriptions/actions/list': { body: { accountName: ACCOUNT } },
  'GET /subsc/v1/usage/accounts/:accountName/triggers/:triggerId/firings': {
    path: `/subsc/v1/usage/accounts/${ACCOUNT}/triggers/TRIGGER/firings`,
  },
  'POST /dm/v1/devices/actions/query': { body: records },
  'POST /dm/v1/devices/gateways/actions/query': { body: records },
  'PATCH /dm/v1/devices/gateways/actions/query': { body: records },
  'POST /dm/v1/devices/sensors/actions/query': { body: records },
  'POST /dm/v1/users/actions/query': { body: records },
  'POST /dm/v1/rules/actions/query': { body: records },
  'POST /dm/v1/smartAlerts/actions/query': { body: records },
  'POST /dm/v1/smartAlerts/actions/metrics': { body: inBody },
  'GET /operator/v1/usage/doubtful': { path: '/usage/doubtful' },
  'GET /operator/v1/usage/differences': { path: `/usage/differences?accountName=${ACCOUNT}` },
  'GET /operator/v1/accounts/:accountName/devices': { path: `/accounts/${ACCOUNT}/devices` },
  'GET /operator/v1/audit': { path: '/audit' },
};
const NAMED = new RegExp(`\\b(${NEVER_FROM_REPLICA.join('|')})\\b`, 'i');

const heard: string[] = [];
const listening = (db: Db): Db => {
  const hear = <T>(query: Query, answer: Promise<T>) => {
    heard.push(query.text);
    return answer;
  };
  return {
    ...db,
    many: (query) => hear(query, db.many(query)),
    maybe: (query) => hear(query, db.maybe(query)),
    one: (query) => hear(query, db.one(query)),
    values: (query) => hear(query, db.values(query)),
    value: (query) => hear(query, db.value(query)),
    maybeValue: (query) => hear(query, db.maybeValue(query)),
    exec: (query) => hear(query, db.exec(query)),
    tx: (work, options) => {
      if (!options?.readOnly) heard.push('a transaction that may write');
      return db.tx((tx) => work(listening(tx)), options);
    },
  };
};
const world = await makeWorld({ replica: listening });
await world.import({
  ...SMALL_FLEET,
  usageTriggers: [{ accountName: ACCOUNT, triggerName: 't', serviceName: 'Location', thresholdValue: '90' }],
});
const { triggerId } = await world.ctx.db.one<{ triggerId: string }>(
  sql`select trigger_id as "triggerId" from usage_trigger`,
);
const user = await asUser(world);
const routes = (await listRoutes()).filter(({ config }) => config?.reads === 'replica');

describe('routes that may read from a replica', () => {
  it('are exactly the listed ones', () =>
    assert.deepEqual(routes.map(({ method, url }) => `${method} ${url}`).sort(), Object.keys(CALLS).sort()));

  it('store no answer for an idempotency key, which would be a write', () =>
    assert.deepEqual(
      routes.filter(({ method, config }) => method !== 'GET' && config?.query !== true),
      [],
    ));

  for (const [route, { path, body }] of Object.entries(CALLS)) {
    it(`read there, but not the data that decides access: ${route}`, async () => {
      const [method, pattern] = route.split(' ') as [string, string];
      heard.length = 0;
      const answer = await (pattern.startsWith('/operator/')
        ? world.operator(method, path!)
        : user.call(method, (path ?? pattern).replace('TRIGGER', triggerId), body));
      assert.equal(answer.statusCode, 200, answer.body);
      assert.ok(heard.length > 0, 'it asked the replica');
      assert.deepEqual(
        heard.filter((text) => NAMED.test(text) || !statementFacts({ text }).onlyReads),
        [],
      );
    });
  }
});

describe('a page of the console', () => {
  it('is never answered by a replica: it must show the latest changes', async () => {
    const browser = await signIn(world, USER);
    heard.length = 0;
    const answer = await browser.call('POST', '/dm/v1/devices/actions/query', records);
    assert.equal(answer.statusCode, 200, answer.body);
    assert.deepEqual(heard, []);
  });
});

describe('access checks', () => {
  it("use no replica: a token, a login, a session, another customer's account", async () => {
    heard.length = 0;
    const other = await asUser(world);
    await other.call('POST', '/m2m/v1/devices/actions/list', { accountName: '0000999999-00009' });
    await other.call('GET', `/loc/v1/consents/${ACCOUNT}`);
    await other.call('POST', '/loc/v1/locations', {
      accountName: ACCOUNT,
      accuracyMode: '0',
      cacheMode: '1',
      deviceList: [{ id: '990000000000011', kind: 'imei', mdn: '5550100001' }],
    });
    await other.call('POST', '/m2m/v1/session/logout');
    assert.deepEqual(heard, []);
  });
});
