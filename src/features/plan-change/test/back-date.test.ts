import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { nobodyEvaluates } from '../../../../test/support/nobody-evaluates.ts';
import { composeCarrier } from '../../../app/compose/compose-carrier.ts';
import { inTx } from '../../../platform/context/context.ts';
import { sql } from '../../../platform/db/sql.ts';
import { REQUEST_LIMITS } from '../../carrier-requests/carrier-operation.ts';
import { callbacksOf, TENANT } from '../../carrier-requests/test/scene.ts';
import { workChunk } from '../../carrier-requests/work-request.ts';
import { planChange } from '../change-plans.ts';
import { changePlansByItself } from '../request-plan-change.ts';
import { imei, makePlanScene } from './scene.ts';

/** More devices than one transaction moves. */
const COUNT = 150;
const numbers = Array.from({ length: COUNT }, (_, n) => n);
const { world, workTogether } = await makePlanScene(COUNT, {
  account: { timeZone: 'America/Chicago', billCycleDay: 10 },
});
world.clock.holdAt(new Date('2026-01-20T12:00:00Z'));
const { db } = world.ctx;
const { workJob } = composeCarrier(nobodyEvaluates.evaluateMove);

let fed = 0;
/** For each line, a record in the open cycle and one in the cycle before. */
const feed = async () => {
  const records = numbers.flatMap((n) =>
    ['2026-01-09T12:00:00Z', '2026-01-12T12:00:00Z'].map((at) => ({
      id: `r${++fed}`,
      kind: 'imei',
      device: imei(n),
      at,
      bytes: 1_000,
    })),
  );
  const answer = await world.operator('POST', '/usage', records);
  assert.equal(answer.json().accepted, records.length, answer.body);
};
const ask = async (servicePlan: string): Promise<string> => {
  const devices = await db.many<{ id: string }>(sql`
    select device_id as id from device where account_name = ${ACCOUNT} and imei = any(${numbers.map(imei)}::text[])`);
  const deviceIds = devices.map(({ id }) => id);
  const asked = { deviceIds, servicePlan, effectiveAt: 'BackDate', requestedBy: 'trigger 7' } as const;
  return (await inTx(world.ctx, (tx) => changePlansByItself(tx, TENANT, asked, workJob)))!;
};
const bytesByPlan = async () =>
  new Map(
    (
      await db.many<{ plan: string; bytes: number }>(sql`
        select plan_code as plan, sum(bytes)::float8 as bytes from usage_account_day where account_name = ${ACCOUNT}
        group by plan_code having sum(bytes) > 0`)
    ).map(({ plan, bytes }) => [plan, bytes]),
  );
const differences = async () => {
  const found: unknown[] = [];
  for (let page: string | undefined = ''; page !== undefined; ) {
    const answer = await world.operator('GET', `/usage/differences?accountName=${ACCOUNT}${page}`);
    found.push(...answer.json().differences);
    const next = answer.headers['x-next'];
    page = next === undefined ? undefined : `&page=${next}`;
  }
  return found;
};

describe('a backdated change of plan for many devices', () => {
  it('moves the usage of its devices in batches', async () => {
    await feed();
    const requestId = await ask('P-50MB');
    await world.engine.settle();
    const results = await callbacksOf(world, requestId);
    assert.deepEqual(
      [results.length, new Set(results.map(({ status }) => status))],
      [COUNT, new Set(['Success'])],
    );
    const moves = await db.many<{ count: number }>(
      sql`select count(*)::int as count from usage_move group by batch_no order by batch_no`,
    );
    assert.deepEqual(
      moves.map(({ count }) => count),
      [100, 50],
    );
    assert.deepEqual(
      await bytesByPlan(),
      new Map([
        ['P-5MB', COUNT * 1_000],
        ['P-50MB', COUNT * 1_000],
      ]),
    );
    assert.deepEqual(await differences(), []);
  });

  it('moves usage once, even if several workers run and usage arrives at the same time', async () => {
    const requestId = await ask('P-SHARE');
    await Promise.all([workTogether(), feed(), feed()]);
    assert.equal((await callbacksOf(world, requestId)).length, COUNT);
    assert.deepEqual(
      await bytesByPlan(),
      new Map([
        ['P-5MB', 3 * COUNT * 1_000],
        ['P-SHARE', 3 * COUNT * 1_000],
      ]),
    );
    assert.deepEqual(await differences(), []);
  });

  it('is rolled back with all moved usage when it fails midway, and completes on the next attempt', async () => {
    const requestId = await ask('P-50MB');
    const failing = planChange({
      ...nobodyEvaluates,
      noteChanged: async () => {},
      cyclesOf: async () => ['Monthly'],
      evaluateMove: async () => {
        throw new Error('cut off');
      },
    });
    const before = await bytesByPlan();
    const workings = {
      operations: new Map([[failing.name, failing]]),
      onSettled: [],
      limits: REQUEST_LIMITS,
    };
    await assert.rejects(workChunk(world.ctx, TENANT, requestId, workings), /cut off/);
    assert.deepEqual(await bytesByPlan(), before);
    assert.deepEqual(await differences(), []);
    await world.engine.settle();
    assert.equal((await bytesByPlan()).get('P-50MB'), 3 * COUNT * 1_000);
    assert.deepEqual(await differences(), []);
  });
});
