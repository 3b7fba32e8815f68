import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT, MANAGED, SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { joinNodes } from '../../../platform/health/nodes.ts';

const world = await makeWorld();
const { operator } = world;
const SHARES = ['S-1', 'S-2', 'S-3'];
await world.import({
  ...SMALL_FLEET,
  plans: [
    ...SMALL_FLEET.plans,
    ...SHARES.map((code) => ({ code, kind: 'share', allowanceBytes: 1_024, ratePerMb: 0.25 })),
  ],
  ratePlanGroups: [
    { ecpdId: '9000001', ratePlanGroupId: 7, planCodes: ['S-2', 'S-1'], accounts: [MANAGED, ACCOUNT] },
    { ecpdId: '9000001', ratePlanGroupId: 12, planCodes: ['S-3'], accounts: [] },
    { ecpdId: '9000009', ratePlanGroupId: 1, planCodes: ['S-3'], accounts: [STRANGER] },
  ],
});

/** Reads page by page with a small limit. */
async function readAll(path: string, limit: number): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  let page = '';
  do {
    const answer = await operator('GET', `${path}?limit=${limit}${page && `&page=${page}`}`);
    assert.equal(answer.statusCode, 200, answer.body);
    all.push(...answer.json());
    page = (answer.headers['x-next'] as string | undefined) ?? '';
  } while (page !== '');
  return all;
}

describe('GET /operator/v1/service', () => {
  it('200: has each process with its feeds and the reasons for rejected records, and the retention times', async () => {
    const nodeId = randomUUID();
    const { ctx, health } = world;
    const node = await joinNodes(ctx.db, { nodeId, role: 'all', log: ctx.log, health });
    after(() => node.stop());
    const at = world.ctx.now();
    const record = { id: 'r-1', kind: 'imei', device: '990000000000011', at, bytes: 10 };
    await operator('POST', '/usage', [record, { ...record, id: 'r-2', device: '990000000000094' }]);
    const read = async () => {
      const { processes } = (await operator('GET', '/service')).json();
      return processes.find((one: { nodeId: string }) => one.nodeId === nodeId);
    };
    for (let n = 0; n < 600 && (await read())?.feeds.length !== 1; n++) await sleep(50);
    const { state, role, feeds } = await read();
    assert.deepEqual([state, role], ['ready', 'all']);
    assert.deepEqual([feeds[0].feed, feeds[0].taken, feeds[0].rejected], ['usage', 1, 1]);
    assert.equal(feeds[0].reasons[0].records, 1);
    const { retention } = (await operator('GET', '/service')).json();
    const days = Object.fromEntries(
      retention.map((one: { setting: string; days: number }) => [one.setting, one.days]),
    );
    assert.equal(days['LINEKEEPER_RETENTION_USAGE_DAYS'], 400);
    assert.equal(retention.length, 9);
  });
});

describe('GET /operator/v1/plans', () => {
  it('200: has every plan once and complete, page by page', async () => {
    const plans = await readAll('/plans', 2);
    assert.deepEqual(
      plans.map(({ code }) => code),
      ['P-5MB', ...SHARES],
    );
    assert.deepEqual(plans[1], {
      code: 'S-1',
      carrierServicePlanCode: 'S-1',
      name: 'S-1',
      kind: 'share',
      allowanceBytes: 1_024,
      ratePerMb: 0.25,
      fixedLocation: false,
      models: null,
      suspendWithBilling: false,
      throttleAtPercent: null,
    });
  });
});

describe('GET /operator/v1/rate-plan-groups', () => {
  it('200: has every group once with its plans in order and its accounts, also for one customer', async () => {
    const groups = await readAll('/rate-plan-groups', 1);
    assert.deepEqual(groups, [
      {
        ecpdId: '9000001',
        ratePlanGroupId: 7,
        planCodes: ['S-2', 'S-1'],
        accounts: [ACCOUNT, MANAGED],
        accountCount: 2,
      },
      { ecpdId: '9000001', ratePlanGroupId: 12, planCodes: ['S-3'], accounts: [], accountCount: 0 },
      { ecpdId: '9000009', ratePlanGroupId: 1, planCodes: ['S-3'], accounts: [STRANGER], accountCount: 1 },
    ]);
    const own = (await operator('GET', '/rate-plan-groups?ecpdId=9000009')).json();
    assert.deepEqual(own, groups.slice(2));
    assert.equal((await operator('GET', '/rate-plan-groups?page=bm8')).statusCode, 400);
  });
});

describe('a search', () => {
  const found = async (path: string, name: string) =>
    (await operator('GET', path)).json().map((one: Record<string, string>) => one[name]);

  it('200: finds accounts by a part of their name or organization, and by their customer', async () => {
    assert.deepEqual(await found('/accounts?search=123456', 'accountName'), [ACCOUNT, MANAGED]);
    assert.deepEqual(await found('/accounts?search=aCM', 'accountName'), [ACCOUNT]);
    assert.deepEqual(await found('/accounts?search=9000009', 'accountName'), [STRANGER]);
    assert.deepEqual(await found('/accounts?search=%25', 'accountName'), []);
  });

  it('200: finds users and applications by the beginning of their name', async () => {
    assert.deepEqual(await found('/users?search=ws-', 'username'), ['ws-user']);
    assert.deepEqual(await found('/users?search=user', 'username'), []);
    assert.deepEqual(await found('/clients?search=a', 'clientId'), ['app']);
    assert.deepEqual(await found('/clients?search=%25', 'clientId'), []);
  });
});
