import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CLOSE_CYCLES } from '../../src/features/trigger-evaluation/closings/schedule.ts';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { enqueueJobs } from '../../src/platform/jobs/enqueue.ts';
import { eachRound, faultMoments, faultRounds, TOO_LATE } from '../support/fault-mode.ts';
import { ACCOUNT, MANAGED, SMALL_FLEET } from '../support/fleet.ts';
import { openCrew, until } from '../support/service-crew.ts';
import { makeWorld } from '../support/world.ts';
import { killForGood } from './support/kill-for-good.ts';

const ROUNDS = faultRounds(1);
const moments = faultMoments('price-plan-closings');
/** More than one transaction evaluates. */
const TOLD = 1_100;
const SUSPENDED = 200;
/** How long no process ran. */
const DAYS = 3;
const secretKey = generateSecretKey();
const world = await makeWorld({ secretKey });
const { db } = world.ctx;
const imei = (n: number) => `9966000000${String(n).padStart(5, '0')}`;

/** Less than one KB on a day. */
const trigger = (triggerName: string, accountName: string, action: object) => ({
  triggerName,
  ecpdId: '9000001',
  pricePlanTrigger: {
    payAsYouGo: {
      filterCriteria: { carrierServicePlanCode: 'P-5MB', accountNameList: [accountName] },
      condition: {
        conditionType: 'Individual',
        comparator: 'lt',
        threshold: 1,
        thresholdUnit: 'KB',
        cycleType: 'Daily',
      },
      action,
    },
  },
  notification: { notificationType: 'PerEvent', callback: true },
});
// Work must be due by the real clock of the worker process.
world.clock.release();
world.clock.reset();
await world.import({
  ...SMALL_FLEET,
  devices: Array.from({ length: TOLD + SUSPENDED }, (_, n) => ({
    accountName: n < TOLD ? ACCOUNT : MANAGED,
    imei: imei(n),
    servicePlan: 'P-5MB',
    planSince: '2025-01-01T00:00:00Z',
  })),
  pricePlanTriggers: [
    trigger('tells', ACCOUNT, {}),
    trigger('suspends', MANAGED, {
      suspend: true,
      suspendDetails: { suspendDuration: '30', suspendOption: 'WithBilling' },
    }),
  ],
});

const crew = openCrew(world, secretKey);

const count = async (what: ReturnType<typeof sql>) =>
  (await db.one<{ n: number }>(sql`select count(*)::int as n from ${what}`)).n;

/** Makes ended days due, as if the service had been down since then. */
async function fallBehind(): Promise<void> {
  await db.exec(sql`truncate callback_message, callback_pending, callback_failed, firing, device_suspension`);
  await db.exec(sql`delete from trigger_action`);
  await db.exec(sql`update device set state = 'active'`);
  await db.exec(sql`delete from price_plan_closing where done_at is not null`);
  await db.exec(sql`
    update price_plan_closing set opens_at = opens_at - make_interval(days => ${DAYS}::int),
      closes_at = closes_at - make_interval(days => ${DAYS}::int)`);
  await enqueueJobs(world.ctx, CLOSE_CYCLES, '9000001', [{ payload: {}, key: 'missed' }]);
}

const isDone = async () =>
  (await count(sql`price_plan_closing where done_at is null and closes_at <= ${new Date()}`)) === 0 &&
  (await count(sql`trigger_action where ended_at is null`)) === 0;

/** Counts the reported evaluations by day, and checks that each was reported once. */
async function assertTold(triggerName: string): Promise<readonly number[]> {
  const days = await db.many<{ firings: number; told: number; alerts: number }>(sql`
    select count(*)::int as firings, count(distinct m.request_id)::int as told, sum(m.n)::int as alerts
    from firing f join price_plan_trigger t using (ecpd_id, trigger_id)
    left join (
      select request_id, count(*) as n from callback_message where service_name = 'AlertService' group by 1) m
      on m.request_id = f.firing_id::text
    where t.trigger_name = ${triggerName} group by f.cycle_from order by f.cycle_from`);
  for (const { firings, told, alerts } of days) assert.deepEqual([told, alerts], [firings, firings]);
  return days.map(({ firings }) => firings);
}

describe('cycles that close', () => {
  it(`are evaluated, reported and acted on once, even if their worker is killed in the middle, ${ROUNDS} times`, async (t) => {
    await eachRound(t, ROUNDS, async (t) => {
      await fallBehind();
      const [worker] = await crew.have(1);
      const enough = moments.between(1, TOLD * DAYS);
      await until(
        'nothing was evaluated',
        async () => (await count(sql`firing`)) >= enough || (await isDone()),
        { everyMs: 5 },
      );
      await killForGood(world, worker!);
      if (await isDone()) return TOO_LATE;
      const before = await count(sql`firing`);
      t.diagnostic(`killed after ${before} firings`);
      await crew.have(1);
      await until('not all was judged', isDone);
      await crew.stop();
      assert.deepEqual(await assertTold('tells'), Array(DAYS).fill(TOLD));
      const [first] = await assertTold('suspends');
      assert.equal(first, SUSPENDED, 'on the first of the days none had been suspended yet');
      const lines = await db.many<{ n: number }>(sql`
        select count(s.device_id)::int as n from device d left join device_suspension s using (ecpd_id, device_id)
        where d.account_name = ${MANAGED} group by d.device_id`);
      assert.deepEqual(lines, Array(SUSPENDED).fill({ n: 1 }));
      const open = await db.many<{ n: number }>(sql`
        select count(*)::int as n from price_plan_closing where done_at is null group by trigger_id`);
      assert.deepEqual(open, [{ n: 1 }, { n: 1 }]);
    });
  });
});
