import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, it } from 'node:test';
import {
  ACCOUNT,
  asUser,
  bearer,
  logIn,
  MANAGED,
  SMALL_FLEET,
  USER,
} from '../../../../test/support/fleet.ts';
import { makeWorld, OPERATOR_KEY } from '../../../../test/support/world.ts';

const world = await makeWorld();
await world.import({ ...SMALL_FLEET, users: [{ ...USER, accounts: [ACCOUNT, MANAGED] }] });
let user = await asUser(world);
await world.api.listen({ host: '127.0.0.1', port: 0 });
const base = `http://127.0.0.1:${(world.api.server.address() as AddressInfo).port}/api`;

const set = (...rules: object[]) => world.operator('PUT', '/faults', rules);
const plans = (account = ACCOUNT) => user.call('GET', `/m2m/v1/plans/${account}`);
const statuses = async (count: number, account?: string) => {
  const all: number[] = [];
  for (let i = 0; i < count; i++) all.push((await plans(account)).statusCode);
  return all;
};
const newest = async () => (await world.operator('GET', '/requests?limit=1')).json()[0];
/** Uses a separate connection, which may be cut. */
const fetchOver = (method: string, path: string, body?: object) =>
  fetch(`${base}${path}`, {
    method,
    headers: user.headers,
    ...(body && { body: JSON.stringify(body) }),
  });

beforeEach(() => world.operator('DELETE', '/faults'));

describe('a fault rule', () => {
  it('answers the next calls of an operation with a status, as many as it says', async () => {
    await set({ match: { operation: 'listPlans' }, times: 2, then: { status: 503 } });
    assert.deepEqual(await statuses(3), [503, 503, 200]);
    const [rule] = (await world.operator('GET', '/faults')).json();
    assert.deepEqual([rule.matched, rule.used], [2, 2]);
  });

  it("answers with the area's own error, or with the given body", async () => {
    await set({ match: { operation: 'listPlans' }, times: 1, then: { status: 503 } });
    const usual = await plans();
    assert.equal(usual.json().errorCode, 'UnifiedWebService.REQUEST_FAILED.Unavailable');
    assert.equal(usual.headers['retry-after'], '1');
    await set({ match: { path: '/m2m/v1/plans/*' }, times: 1, then: { status: 418, body: { a: [1] } } });
    const own = await plans();
    assert.deepEqual([own.statusCode, own.json()], [418, { a: [1] }]);
  });

  it('can let calls pass first, and can apply to one account only', async () => {
    await set({ match: { accountName: ACCOUNT }, after: 2, times: 1, then: { status: 500 } });
    assert.deepEqual(await statuses(1, MANAGED), [200]);
    assert.deepEqual(await statuses(4), [200, 200, 500, 200]);
  });

  it('is marked in the log of requests', async () => {
    await set({ match: { operation: 'listPlans' }, then: { status: 429, delayMs: 1 } });
    await plans();
    const { status, injected, reason } = await newest();
    assert.deepEqual([status, injected], [429, { rule: 0, status: 429, delayMs: 1 }]);
    assert.equal(reason.code, 'UnifiedWebService.REQUEST_FAILED.TooManyRequests');
  });

  it('loses the answer before anything was done', async () => {
    await set({ match: { operation: 'registerListenerM2m' }, then: { drop: 'before' } });
    const body = { name: 'CarrierService', url: 'http://127.0.0.1:8099/before' };
    await assert.rejects(fetchOver('POST', `/m2m/v1/callbacks/${ACCOUNT}`, body));
    assert.deepEqual([(await newest()).status, (await newest()).injected.drop], [null, 'before']);
    const listed = await user.call('GET', `/m2m/v1/callbacks/${ACCOUNT}`);
    assert.ok(!listed.body.includes('/before'));
  });

  it('loses the answer after the change was committed', async () => {
    await set({ match: { operation: 'registerListenerM2m' }, then: { drop: 'after' } });
    const body = { name: 'CarrierService', url: 'http://127.0.0.1:8099/after' };
    await assert.rejects(fetchOver('POST', `/m2m/v1/callbacks/${ACCOUNT}`, body));
    assert.deepEqual([(await newest()).status, (await newest()).injected.drop], [200, 'after']);
    const listed = await user.call('GET', `/m2m/v1/callbacks/${ACCOUNT}`);
    assert.ok(listed.body.includes('/after'));
  });

  it('expires a session for good, and a new login continues', async () => {
    await set({ after: 2, times: 1, then: { expireToken: true } });
    assert.deepEqual(await statuses(2), [200, 200]);
    for (let i = 0; i < 2; i++)
      assert.equal((await plans()).json().errorCode, 'UnifiedWebService.REQUEST_FAILED.SessionToken.Expired');
    user = await asUser(world);
    assert.deepEqual(await statuses(1), [200]);
  });

  it('expires a bearer token if there is no session yet', async () => {
    const token = await bearer(world.api);
    await set({ match: { operation: 'logIn' }, times: 1, then: { expireToken: true } });
    for (let i = 0; i < 2; i++) await assert.rejects(logIn(world.api, token), /900901/);
    user = await asUser(world);
  });

  it('affects operator routes only if it names them', async () => {
    await set({ then: { status: 503 } }, { match: { operation: 'operatorListJobs' }, then: { status: 503 } });
    assert.equal((await world.operator('GET', '/accounts')).statusCode, 200);
    assert.equal((await world.operator('GET', '/jobs')).statusCode, 503);
  });

  // proves operating/fault-rules
  it('never affects keys, logs, rules, the clock, the reset and snapshots, however it names them', async () => {
    const { paths } = (await world.api.inject('/api/openapi.json')).json() as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({ method, path, operationId })),
    );
    const kept = operations.filter(({ path }) =>
      /^\/operator\/v1\/(keys|audit|requests|faults|clock|reset|snapshots)/.test(path),
    );
    assert.ok(kept.length >= 15, String(kept.length));
    for (const { method, path, operationId } of kept) {
      // Ids in the path that exist nowhere: these calls end in a refusal of their own.
      const own = path.replace(/^\/operator\/v1/, '').replaceAll(/\{\w+\}/g, 'none');
      await set(
        { match: { path: `/operator/v1${own}` }, then: { status: 418 } },
        { match: { path: '/operator/v1/*' }, then: { status: 418 } },
        { match: { operation: operationId }, then: { status: 418 } },
      );
      const { statusCode } = await world.operator(method.toUpperCase(), own, {});
      assert.notEqual(statusCode, 418, `${method} ${path}`);
    }
  });

  // proves operating/fault-rules
  it('is marked in the audit log for each operator call, answered or not', async () => {
    const entryOf = async (action: string) =>
      (await world.operator('GET', `/audit?action=${action}&limit=1`)).json()[0];
    await set(
      { match: { operation: 'operatorDeleteAccount' }, then: { status: 200, body: { success: true } } },
      { match: { operation: 'operatorListJobs' }, then: { drop: 'before' } },
    );
    assert.equal((await world.operator('DELETE', `/accounts/${ACCOUNT}`)).statusCode, 200);
    const deleted = await entryOf('operatorDeleteAccount');
    assert.deepEqual([deleted.status, deleted.target, deleted.after.injected.status], [200, ACCOUNT, 200]);
    const key = { authorization: `Bearer ${OPERATOR_KEY}` };
    await assert.rejects(fetch(`${base}/operator/v1/jobs`, { headers: key }));
    const dropped = await entryOf('operatorListJobs');
    assert.deepEqual([dropped.status, dropped.after.injected.drop], [null, 'before']);
    await world.operator('DELETE', '/faults');
    await world.operator('GET', '/jobs');
    assert.equal((await entryOf('operatorListJobs')).after, null);
  });

  it('does not count calls without access', async () => {
    await set({ match: { operation: 'listPlans' }, times: 1, then: { status: 503 } });
    await world.api.inject(`/api/m2m/v1/plans/${ACCOUNT}`);
    assert.deepEqual(await statuses(1), [503]);
  });

  it('400: is refused if it has no effect, two effects or unknown members', async () => {
    const wrong = [
      { then: {} },
      { then: { status: 503, drop: 'before' } },
      { then: { body: {} } },
      { then: { status: 99 } },
      { then: { delayMs: 60_001 } },
      { match: { operations: 'listPlans' }, then: { status: 503 } },
      { match: { probability: 1.5 }, then: { status: 503 } },
    ];
    for (const rule of wrong) assert.equal((await set(rule)).statusCode, 400, JSON.stringify(rule));
  });
});

describe('a probability', () => {
  it('is drawn for each call, and repeats with a seed', async () => {
    const play = async () => {
      const seeded = await makeWorld({ settings: { seed: 'dice' } });
      const rule = { match: { operation: 'operatorListJobs', probability: 0.5 }, then: { status: 503 } };
      await seeded.operator('PUT', '/faults', [rule]);
      const all: number[] = [];
      for (let i = 0; i < 40; i++) all.push((await seeded.operator('GET', '/jobs')).statusCode);
      return all;
    };
    const [first, second] = [await play(), await play()];
    assert.deepEqual(first, second);
    assert.deepEqual(new Set(first), new Set([200, 503]));
  });
});

describe('outside the sandbox', () => {
  it('404: there are no rules', async () => {
    const production = await makeWorld({ settings: { sandbox: false } });
    for (const method of ['GET', 'DELETE'])
      assert.equal((await production.operator(method, '/faults')).json().code, 'sandbox_only');
    assert.equal((await production.operator('PUT', '/faults', [])).statusCode, 404);
  });
});
