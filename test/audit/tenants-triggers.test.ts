import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signIn } from '../../src/features/console/test/scene.ts';
import { MB, makeActingWorld, SUSPEND_30 } from '../../src/features/trigger-actions/test/scene.ts';
import { asUser } from '../support/fleet.ts';
import { listRoutes } from '../support/routes.ts';

/** These routes name no account: the id or the body determines the owner of a trigger or firing. */
const routes = (await listRoutes()).filter(
  ({ url, config }) => config?.access?.kind === 'session' && /\/v2\/triggers(\/|$)/.test(url),
);

/** The answer of each to a user of another customer. Lists show the caller's own entries, of which there are none. */
const EXPECTED: Readonly<Record<string, number>> = {
  'POST ': 401,
  'PUT ': 401,
  'GET ': 200,
  'GET /:triggerId': 404,
  'DELETE /:triggerId': 404,
  'GET /:triggerId/versions': 404,
  'GET /:triggerId/firings': 404,
  'POST /firings/:firingId/approve': 404,
  'POST /firings/:firingId/reject': 404,
  'GET /categories/:category': 200,
  'POST /actions/backtest': 401,
  'POST /actions/past-use': 401,
};

const scene = await (await makeActingWorld({ env: { LINEKEEPER_ACTION_DEVICES_MAX: '4' }, customers: 1 }))();
const { world, ecpdId, a, b, imei } = scene;
const pricePlanTrigger = scene.individual(
  { suspend: true, suspendDetails: { ...SUSPEND_30, threshold: 1, thresholdUnit: 'MB' } },
  { conditionType: 'AccountLevel', separateOrCombined: 'Combined', threshold: 1, cycleType: 'Daily' },
);
const triggerId = await scene.create(pricePlanTrigger);
await scene.use({ 0: 2 * MB });
const firing = (await scene.firingsOf(triggerId)).find(({ actions }) => actions.length > 0);
assert.ok(firing !== undefined);
const category = 'PricePlanDataUsage';
const values: Readonly<Record<string, string>> = { triggerId, firingId: firing.firingId, category };
const body = {
  ...{ triggerId, triggerName: 't', ecpdId, triggerCategory: category, pricePlanTrigger },
  notification: { notificationType: 'PerEvent', callback: true },
  period: { from: '2026-01-01', to: '2026-01-02' },
};
const owner = await asUser(world, { username: 'owner', password: 'owner-password' });
const STRANGER = { username: 'stranger', password: 'stranger-password' };
const stranger = await asUser(world, STRANGER);
const browser = await signIn(world, STRANGER);
const kept = async () =>
  Promise.all(
    [`/m2m/v2/triggers/${triggerId}/versions`, `/m2m/v2/triggers/${triggerId}/firings`].map(async (path) => {
      const answer = await owner.call('GET', path);
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.body;
    }),
  );

describe('a user of another customer gets nothing of a price plan trigger, and changes nothing of it', () => {
  it('on every route of both paths', () => {
    const paths = ['/m2m/v2/triggers', '/v2/triggers'];
    assert.deepEqual(
      routes.map(({ method, url }) => `${method} ${url}`).sort(),
      paths.flatMap((path) => Object.keys(EXPECTED).map((key) => key.replace(' ', ` ${path}`))).sort(),
    );
  });

  for (const { method, url } of routes) {
    it(`${method} ${url}`, async () => {
      const before = await kept();
      const path = url.replaceAll(/:(\w+)/g, (_, name: string) => values[name]!);
      const sent = method === 'GET' ? undefined : body;
      const route = `${method} ${url.slice(url.indexOf('/triggers') + '/triggers'.length)}`;
      const secrets = [
        ecpdId,
        a,
        b,
        imei(0),
        firing.firingId,
        ...(path.includes(triggerId) ? [] : [triggerId]),
      ];
      for (const answer of [
        await stranger.call(method, path, sent),
        await browser.call(method as 'GET', path, sent),
      ]) {
        assert.equal(answer.statusCode, EXPECTED[route], answer.body);
        for (const secret of secrets) assert.ok(!answer.body.includes(secret), answer.body);
      }
      assert.deepEqual(await kept(), before);
    });
  }
});
