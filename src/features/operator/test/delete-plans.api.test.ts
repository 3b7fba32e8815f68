import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';

const world = await makeWorld();
const { operator } = world;
await world.import(SMALL_FLEET);
const ECPD = '9000001';
const planOf = (code: string, carrierServicePlanCode = code) => ({
  ...{ code, carrierServicePlanCode, name: code, kind: 'share', allowanceBytes: 1024 ** 3 },
});
const put = (servicePlan: string | undefined, ...imeis: string[]) =>
  world.import({
    devices: imeis.map((imei) => ({
      ...{ accountName: ACCOUNT, imei, state: 'active' },
      ...(servicePlan !== undefined && { servicePlan }),
    })),
  });
const remove = async (path: string) => {
  const answer = await operator('DELETE', path);
  const { code, detail, title } = answer.json();
  return [answer.statusCode, code, `${title ?? ''} ${detail ?? ''}`.trim()] as const;
};
const codes = async () =>
  ((await operator('GET', '/plans')).json() as { code: string }[]).map(({ code }) => code);

describe('DELETE /operator/v1/plans/{code}', () => {
  it('200: deletes an unused plan, also one whose code is an address', async () => {
    const code = 'A/B 100 %';
    await world.import({ plans: [planOf(code)] });
    assert.equal((await operator('DELETE', `/plans/${encodeURIComponent(code)}`)).statusCode, 200);
    assert.ok(!(await codes()).includes(code));
  });

  it('404: an unknown plan', async () =>
    assert.deepEqual((await remove('/plans/NOWHERE')).slice(0, 2), [404, 'plan_unknown']));

  it('409: counts the lines on it, whatever their state, and keeps it', async () => {
    await world.import({ plans: [planOf('USED')] });
    await put('USED', '990000000000201', '990000000000202');
    await world.import({ devices: [{ accountName: ACCOUNT, imei: '990000000000202', state: 'deactive' }] });
    const [status, code, reason] = await remove('/plans/USED');
    assert.deepEqual([status, code], [409, 'plan_in_use']);
    assert.match(reason, /2 lines are on it/);
    assert.ok((await codes()).includes('USED'));
  });

  it('409: says that bills need it after the last line has left it', async () => {
    await world.import({ plans: [planOf('BILLED'), planOf('NEXT')] });
    await put('BILLED', '990000000000211');
    const record = {
      id: 'billed-1',
      kind: 'imei',
      device: '990000000000211',
      at: world.ctx.now(),
      bytes: 1024,
    };
    const fed = await operator('POST', '/usage', [record]);
    assert.equal(fed.json().accepted, 1, fed.body);
    await put('NEXT', '990000000000211');
    const [status, , reason] = await remove('/plans/BILLED');
    assert.equal(status, 409);
    assert.match(reason, /1 account has used it, and its bills need its price/);
    assert.doesNotMatch(reason, /line is on it/);
  });

  it('409: lists all its uses in one sentence', async () => {
    await world.import({
      plans: [planOf('MUCH')],
      ratePlanGroups: [{ ecpdId: ECPD, ratePlanGroupId: 501, planCodes: ['MUCH'], accounts: [] }],
    });
    await put('MUCH', '990000000000221');
    assert.match((await remove('/plans/MUCH'))[2], /1 line is on it, and 1 rate plan group has it/);
  });

  it('409: counts triggers that name it, but not those that mean another plan with the same name', async () => {
    await world.import({ plans: [planOf('OLD', 'SAME'), planOf('NEW', 'SAME'), planOf('WATCHED')] });
    const triggerFor = (carrierServicePlanCode: string) => ({
      ...{ ecpdId: ECPD, triggerName: `Of ${carrierServicePlanCode}`, triggerCategory: 'PricePlanDataUsage' },
      pricePlanTrigger: {
        payAsYouGo: {
          filterCriteria: { carrierServicePlanCode, accountNameList: [ACCOUNT] },
          condition: {
            conditionType: 'AccountLevel',
            comparator: 'gt',
            threshold: 1,
            thresholdUnit: 'KB',
            cycleType: 'Daily',
          },
          action: { notify: true },
        },
      },
      notification: { notificationType: 'PerEvent', callback: true },
    });
    await world.import({ pricePlanTriggers: [triggerFor('SAME'), triggerFor('WATCHED')] });
    assert.match((await remove('/plans/WATCHED'))[2], /1 trigger names it/);
    assert.equal((await operator('DELETE', '/plans/OLD')).statusCode, 200);
    assert.match((await remove('/plans/NEW'))[2], /1 trigger names it/);
  });

  it('403: needs the scope admin', async () => {
    const { key } = (
      await operator('POST', '/keys', { name: 'fleet-only', scopes: ['fleet', 'read'] })
    ).json();
    const headers = { authorization: `Bearer ${key}` };
    for (const path of ['/plans/NEXT', `/rate-plan-groups/${ECPD}/501`, `/customers/${ECPD}`])
      assert.equal((await operator('DELETE', path, undefined, headers)).statusCode, 403, path);
  });
});

describe('DELETE /operator/v1/rate-plan-groups/{ecpdId}/{ratePlanGroupId}', () => {
  const groupOf = (ratePlanGroupId: number, planCodes: string[], accounts: string[]) =>
    world.import({ ratePlanGroups: [{ ecpdId: ECPD, ratePlanGroupId, planCodes, accounts }] });
  const numbers = async () =>
    ((await operator('GET', `/rate-plan-groups?ecpdId=${ECPD}`)).json() as { ratePlanGroupId: number }[]).map(
      (group) => group.ratePlanGroupId,
    );

  it('200: deletes an unused group; its plans and accounts stay', async () => {
    await world.import({ plans: [planOf('POOL')] });
    await groupOf(601, ['POOL'], [ACCOUNT]);
    assert.equal((await operator('DELETE', `/rate-plan-groups/${ECPD}/601`)).statusCode, 200);
    assert.ok(!(await numbers()).includes(601));
    assert.ok((await codes()).includes('POOL'));
    assert.equal((await operator('GET', `/accounts/${ACCOUNT}`)).statusCode, 200);
  });

  it('409: counts the lines that draw from it, but no line of another account or plan', async () => {
    await world.import({ plans: [planOf('POOL'), planOf('BESIDE')] });
    await groupOf(602, ['POOL'], [ACCOUNT]);
    await put('POOL', '990000000000231');
    await put('BESIDE', '990000000000232');
    const [status, code, reason] = await remove(`/rate-plan-groups/${ECPD}/602`);
    assert.deepEqual([status, code], [409, 'rate_plan_group_in_use']);
    assert.match(reason, /1 line draws from its pool/);
    assert.ok((await numbers()).includes(602));
  });

  it("404: an unknown group or another customer's", async () => {
    assert.equal((await remove(`/rate-plan-groups/${ECPD}/699`))[1], 'rate_plan_group_unknown');
    assert.equal((await remove('/rate-plan-groups/8000009/602'))[1], 'rate_plan_group_unknown');
  });
});
