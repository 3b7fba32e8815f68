import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { eachRound, faultMoments, faultRounds } from '../support/fault-mode.ts';
import { ACCOUNT, MANAGED, SMALL_FLEET } from '../support/fleet.ts';
import { openCrew, until } from '../support/service-crew.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { makeWorld, OPERATOR_KEY } from '../support/world.ts';
import { killForGood } from './support/kill-for-good.ts';

const ROUNDS = faultRounds(1);
const moments = faultMoments('price-plan-triggers');
/** Lines of each round, half of them in each account. */
const LINES = 200;
const PARTS = 10;
const secretKey = generateSecretKey();
const world = await makeWorld({ secretKey });
const { db } = world.ctx;

const imei = (round: number, n: number) =>
  `9955${String(round).padStart(6, '0')}${String(n).padStart(5, '0')}`;
const lines = Array.from({ length: LINES }, (_, n) => n);
const ofAccount = (accountName: string, round: number) =>
  lines.filter((n) => accountName === (n % 2 ? ACCOUNT : MANAGED)).map((n) => imei(round, n));

/** The threshold in KB per month. */
const trigger = (
  triggerName: string,
  kb: number,
  accountName: string,
  action: object,
  notification: object,
) => ({
  triggerName,
  ecpdId: '9000001',
  pricePlanTrigger: {
    payAsYouGo: {
      filterCriteria: { carrierServicePlanCode: 'P-5MB', accountNameList: [accountName] },
      condition: {
        conditionType: 'Individual',
        comparator: 'gt',
        threshold: kb,
        thresholdUnit: 'KB',
        cycleType: 'Monthly',
      },
      action,
    },
  },
  notification: { notificationType: 'PerEvent', callback: true, ...notification },
});
const REMINDS = { reminder: true, notificationFrequencyFactor: 3, notificationFrequencyInterval: 'Hourly' };
const DAILY = { notificationType: 'DailySummary' };
await world.import({
  ...SMALL_FLEET,
  plans: [...SMALL_FLEET.plans, { code: 'P-10MB', name: '10 MB', kind: 'payAsYouGo' }],
  devices: Array.from({ length: ROUNDS }, (_, round) =>
    lines.map((n) => ({
      accountName: n % 2 ? ACCOUNT : MANAGED,
      imei: imei(round, n),
      servicePlan: 'P-5MB',
      planSince: '2025-01-01T00:00:00Z',
    })),
  ).flat(),
  pricePlanTriggers: [
    trigger('reminds', 1, ACCOUNT, {}, REMINDS),
    trigger('sums up', 1, MANAGED, {}, DAILY),
    trigger(
      'suspends',
      2,
      ACCOUNT,
      { suspend: true, suspendDetails: { suspendDuration: '30', suspendOption: 'WithBilling' } },
      {},
    ),
    trigger(
      'changes plans',
      2,
      MANAGED,
      { changePlan: true, changePlanDetails: { toCarrierServicePlanCode: 'P-10MB' } },
      {},
    ),
  ],
});

const crew = openCrew(world, secretKey, {});

const NOW = new Date().toISOString();
/** Lines reach their thresholds at different times; in the end all have exceeded them. */
const part = (round: number, nth: number) =>
  lines.map((n) => ({
    id: `${round}-${nth}-${n}`,
    kind: 'imei',
    device: imei(round, n),
    at: NOW,
    bytes: 300 * (1 + (n % 5)),
  }));

async function feed({ url }: ServiceProcess, round: number, nth: number): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/operator/v1/usage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_KEY}` },
      body: part(round, nth)
        .map((record) => JSON.stringify(record))
        .join('\n'),
    });
    return answer.ok;
  } catch {
    return false;
  }
}

async function feedAll(service: ServiceProcess, round: number): Promise<void> {
  for (let nth = 0; nth < PARTS; nth++) if (!(await feed(service, round, nth))) return;
}

const count = async (what: ReturnType<typeof sql>) =>
  (await db.one<{ n: number }>(sql`select count(*)::int as n from ${what}`)).n;

/** Checks that each line occurs once. */
const assertOnce = async (what: string, found: Promise<{ imei: string; n: number }[]>, expected: string[]) =>
  assert.deepEqual(
    (await found).toSorted((a, b) => (a.imei < b.imei ? -1 : 1)),
    expected.toSorted().map((one) => ({ imei: one, n: 1 })),
    what,
  );

const firedOf = (triggerName: string, round: number, joined = sql``) =>
  db.many<{ imei: string; n: number }>(sql`
    select d.imei, count(*)::int as n from firing f
    join price_plan_trigger t on t.ecpd_id = f.ecpd_id and t.trigger_id = f.trigger_id
    join device d on d.ecpd_id = f.ecpd_id and d.device_id::text = f.subject ${joined}
    where t.trigger_name = ${triggerName} and d.imei like ${`${imei(round, 0).slice(0, 10)}%`} group by 1`);

const ALERT = sql`join callback_message m on m.request_id = f.firing_id::text and m.service_name = 'AlertService'`;
const REMINDED = sql`join price_plan_reminder_firing r on r.ecpd_id = f.ecpd_id and r.firing_id = f.firing_id
  join price_plan_reminder p on p.ecpd_id = r.ecpd_id and p.notice_id = r.notice_id
  join job j on j.kind = 'price-plan-triggers.remind' and j.key = p.notice_id::text`;
const SUMMED = sql`join price_plan_summary_entry e on e.ecpd_id = f.ecpd_id and e.firing_id = f.firing_id`;
const ACTED = sql`join firing_action a on a.ecpd_id = f.ecpd_id and a.firing_id = f.firing_id and a.state is null
  join trigger_action x on x.ecpd_id = a.ecpd_id and x.action_id = a.action_id and x.state = 'done'`;
const ANSWERED = sql`${ACTED} join callback_message m on m.request_id = any(x.request_ids::text[])
  and m.service_name = 'CarrierService' and m.payload::jsonb->'deviceIds'->0->>'id' = d.imei`;

async function assertExact(round: number): Promise<void> {
  const [ours, theirs] = [ofAccount(ACCOUNT, round), ofAccount(MANAGED, round)];
  for (const [triggerName, expected, joins] of [
    ['reminds', ours, { fired: sql``, alert: ALERT, reminded: REMINDED }],
    ['sums up', theirs, { fired: sql``, summed: SUMMED }],
    ['suspends', ours, { fired: sql``, alert: ALERT, acted: ACTED, answered: ANSWERED }],
    ['changes plans', theirs, { fired: sql``, alert: ALERT, acted: ACTED, answered: ANSWERED }],
  ] as const)
    for (const [what, joined] of Object.entries(joins))
      await assertOnce(`${triggerName}: ${what}`, firedOf(triggerName, round, joined), expected);
  const like = `${imei(round, 0).slice(0, 10)}%`;
  const suspensions = db.many<{ imei: string; n: number }>(sql`
    select d.imei, count(*)::int as n from device_suspension s join device d using (ecpd_id, device_id)
    where d.imei like ${like} and d.state = 'suspend' group by 1`);
  await assertOnce('suspended', suspensions, ours);
  const moves = db.many<{ imei: string; n: number }>(sql`
    select d.imei, count(*)::int as n from device_plan c join device d using (ecpd_id, device_id)
    where d.imei like ${like} and c.cause = 'change' and c.plan_code = 'P-10MB' group by 1`);
  await assertOnce('moved', moves, theirs);
}

describe('price plan triggers', () => {
  it(`fire, notify and act once for each line, even if the service is killed at any moment, ${ROUNDS} times`, async (t) => {
    let [service] = await crew.have(1);
    await eachRound(t, ROUNDS, async (t, round) => {
      const fed = feedAll(service!, round);
      const enough = moments.between(0, PARTS - 1);
      await until(
        'that part was not reached',
        async () => (await count(sql`usage_record where record_id like ${`${round}-${enough}-%`}`)) > 0,
      );
      // Also after the feed, while the work it started is in progress.
      await sleep(moments.between(0, 500));
      await killForGood(world, service!);
      await fed;
      const acting = await count(sql`trigger_action where state not in ('done', 'failed')`);
      t.diagnostic(`killed in part ${enough}, with ${acting} actions under way`);
      [service] = await crew.have(1);
      await feedAll(service!, round);
      await until(
        'actions are left',
        async () => (await count(sql`trigger_action where ended_at is null`)) === 0,
      );
      await assertExact(round);
    });
  });
});
