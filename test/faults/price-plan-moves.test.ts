import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { eachRound, faultMoments, faultRounds } from '../support/fault-mode.ts';
import { ACCOUNT, SMALL_FLEET } from '../support/fleet.ts';
import { openCrew, until } from '../support/service-crew.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { makeWorld, OPERATOR_KEY } from '../support/world.ts';
import { killForGood } from './support/kill-for-good.ts';

const ROUNDS = faultRounds(1);
const moments = faultMoments('price-plan-moves');
/** Lines of each round: more than one transaction moves. */
const LINES = 130;
const PARTS = 10;
const GROUP = 7;
const ECPD = '9000001';
const secretKey = generateSecretKey();
const world = await makeWorld({ secretKey });
const { db } = world.ctx;

const imei = (round: number, n: number) =>
  `9966${String(round).padStart(6, '0')}${String(n).padStart(5, '0')}`;
const lines = Array.from({ length: LINES }, (_, n) => n);
const share = (triggerName: string, action: string, what: object) => ({
  triggerName,
  ecpdId: ECPD,
  pricePlanTrigger: {
    accountGroupShare: {
      accountGroupShareIndividual: {
        filterCriteria: { ratePlanGroupId: GROUP },
        condition: { action },
        action: what,
      },
    },
  },
  notification: { notificationType: 'PerEvent', callback: true },
});
const NOW = new Date().toISOString();
/** No bill cycle ends while this runs. */
const billCycleDay = ((Number(NOW.slice(8, 10)) + 14) % 28) + 1;
await world.import({
  ...SMALL_FLEET,
  accounts: SMALL_FLEET.accounts.map((one) => (one.accountName === ACCOUNT ? { ...one, billCycleDay } : one)),
  plans: [
    ...SMALL_FLEET.plans,
    { code: 'SMALL', kind: 'share', allowanceBytes: 1_000 },
    { code: 'LARGE', kind: 'share', allowanceBytes: 1_200 },
  ],
  ratePlanGroups: [
    { ratePlanGroupId: GROUP, ecpdId: ECPD, planCodes: ['SMALL', 'LARGE'], accounts: [ACCOUNT] },
  ],
  devices: Array.from({ length: ROUNDS }, (_, round) =>
    lines.map((n) => ({
      accountName: ACCOUNT,
      imei: imei(round, n),
      servicePlan: 'SMALL',
      planSince: '2025-01-01T00:00:00Z',
    })),
  ).flat(),
  pricePlanTriggers: [
    share('moves', 'changePricePlan', {
      changePlan: {
        triggerDate: 'BackDate',
        sharePlan: [{ fromCarrierCode: 'SMALL', toCarrierCode: 'LARGE', criteriaPercentage: 60 }],
      },
    }),
    share('tells', 'notify', {
      notify: {
        alertType: 'individualpriceplan',
        threshold: [{ carrierCode: 'LARGE', percentage: { percentage50: true } }],
      },
    }),
  ],
});

const crew = openCrew(world, secretKey, {});

/** Lines reach the change of plan at different times, and their usage continues. */
const part = (round: number, nth: number) =>
  lines.map((n) => ({
    id: `${round}-${nth}-${n}`,
    kind: 'imei',
    device: imei(round, n),
    at: NOW,
    bytes: 70 * (1 + (n % 5)),
  }));

async function ask({ url }: ServiceProcess, path: string, body?: string): Promise<Response | undefined> {
  try {
    return await fetch(`${url}/operator/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${OPERATOR_KEY}` },
      ...(body !== undefined && { body }),
    });
  } catch {
    return undefined;
  }
}

async function feedAll(service: ServiceProcess, round: number): Promise<void> {
  for (let nth = 0; nth < PARTS; nth++) {
    const records = part(round, nth).map((record) => JSON.stringify(record));
    if (!(await ask(service, '/usage', records.join('\n')))?.ok) return;
  }
}

const count = async (what: ReturnType<typeof sql>) =>
  (await db.one<{ n: number }>(sql`select count(*)::int as n from ${what}`)).n;

async function differencesIn(service: ServiceProcess): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (let page: string | undefined = ''; page !== undefined; ) {
    const answer = await ask(service, `/usage/differences?accountName=${ACCOUNT}${page}`);
    assert.equal(answer?.status, 200);
    const { differences } = (await answer!.json()) as { differences: unknown[] };
    found.push(...differences);
    const next = answer!.headers.get('x-next');
    page = next === null ? undefined : `&page=${next}`;
  }
  return found;
}

async function assertExact(service: ServiceProcess, round: number): Promise<void> {
  const like = `${imei(round, 0).slice(0, 10)}%`;
  const ofRound = sql`join device d using (ecpd_id, device_id) where d.imei like ${like}`;
  const plans = await db.many<{ plan: string; lines: number }>(sql`
    select r.plan_code as plan, count(distinct r.device_id)::int as lines from usage_record r ${ofRound} group by 1`);
  assert.deepEqual(plans, [{ plan: 'LARGE', lines: LINES }]);
  const changes = await db.many<{ plan: string; n: number }>(sql`
    select c.plan_code as plan, count(*)::int as n from device_plan c ${ofRound} and c.cause = 'change' group by 1`);
  assert.deepEqual(changes, [{ plan: 'LARGE', n: LINES }]);
  assert.equal(await count(sql`usage_move m ${ofRound}`), LINES);
  const told = await db.many<{ subject: string; n: number }>(sql`
    select f.subject, count(*)::int as n from firing f
    join price_plan_trigger t using (ecpd_id, trigger_id)
    join callback_message m on m.request_id = f.firing_id::text and m.service_name = 'AlertService'
    join device d on d.ecpd_id = f.ecpd_id and d.device_id::text = f.subject
    where t.trigger_name = 'tells' and d.imei like ${like} and f.cause = 'planChange' and f.usage_record_id is null
    group by 1`);
  assert.deepEqual([told.length, new Set(told.map(({ n }) => n))], [LINES, new Set([1])]);
  assert.deepEqual(await differencesIn(service), []);
}

describe('changes of plan that begin in the past', () => {
  it(`move the whole usage of each line once, even if the service is killed at any moment, ${ROUNDS} times`, async (t) => {
    let [service] = await crew.have(1);
    await eachRound(t, ROUNDS, async (t, round) => {
      const fed = feedAll(service!, round);
      const enough = moments.between(1, PARTS - 1);
      await until(
        'that part was not reached',
        async () => (await count(sql`usage_record where record_id like ${`${round}-${enough}-%`}`)) > 0,
      );
      await sleep(moments.between(0, 300));
      await killForGood(world, service!);
      await fed;
      const moved = await count(sql`usage_move`);
      t.diagnostic(`killed in part ${enough}, with ${moved} lines moved`);
      [service] = await crew.have(1);
      assert.deepEqual(await differencesIn(service!), []);
      await feedAll(service!, round);
      await until(
        'actions are left',
        async () => (await count(sql`trigger_action where ended_at is null`)) === 0,
      );
      await assertExact(service!, round);
    });
  });
});
