import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { A, ageing, B, below, ECPD, imei, KB, openClosingScenes, paygRule } from './closing-scene.ts';

const makeClosingScene = await openClosingScenes();

const perEvent = { notification: { notificationType: 'PerEvent', callback: true } };
const reminded = {
  notification: {
    ...perEvent.notification,
    reminder: true,
    notificationFrequencyFactor: 9,
    notificationFrequencyInterval: 'Weekly',
  },
};
const summed = { notification: { notificationType: 'DailySummary', callback: true } };
const above = below(1, 'Monthly', { comparator: 'gt' });
const suspend = {
  suspend: true,
  suspendDetails: { suspendDuration: 'NextBillCycle', suspendOption: 'WithBilling' },
};
const downward = {
  accountGroupShare: {
    accountGroupSharePool: {
      filterCriteria: { ratePlanGroupId: 7 },
      condition: { action: 'changePricePlan' },
      action: {
        automation: 'customerAutomation',
        changePlan: {
          changePlanLT: {
            changePlan: [{ fromCarrierCode: 'CARRIER-Q', toCarrierCode: 'CARRIER-T' }],
            dataPoolOverageBuffer: 10,
            triggerDate: 'CurrentDate',
          },
        },
      },
    },
  },
};

/** Lines 1 and 2 belong to A, 3 to 5 to B. Lines 2 and 3 used data in January, for which 3 is suspended. */
async function makeScene() {
  const scene = await makeClosingScene({
    at: '2026-01-05T00:00:00Z',
    lines: [1, 2, 3, 4, 5].map((n) => ({
      imei: imei(n),
      accountName: n < 3 ? A : B,
      servicePlan: n === 4 ? 'Q' : 'P',
    })),
  });
  await scene.world.import({
    plans: [{ code: 'T', carrierServicePlanCode: 'CARRIER-T', kind: 'share', allowanceBytes: KB }],
    ratePlanGroups: [{ ratePlanGroupId: 7, ecpdId: ECPD, planCodes: ['P', 'Q', 'T'], accounts: [A, B] }],
  });
  await scene.writeAll([
    [1, paygRule(below(1, 'Monthly')), perEvent],
    [2, paygRule(above), reminded],
    [3, ageing(1), perEvent],
    [4, downward, perEvent],
    [5, paygRule(below(1, 'Monthly'), [B]), summed],
    [6, paygRule(above, [B], suspend), perEvent],
  ]);
  await scene.feedAll([2, 3].map((n) => ({ device: imei(n), at: '2026-01-05T00:00:00Z', bytes: 2 * KB })));
  await scene.world.engine.settle();
  const callbacksOf = async (serviceName: string) =>
    (
      await scene.db.many<{ at: Date; payload: string }>(sql`
        select created_at as at, payload from callback_message where service_name = ${serviceName}`)
    )
      .map(({ at, payload }) => {
        const { deviceResponse = {}, deviceIds = [] } = JSON.parse(payload);
        const { triggerName } = deviceResponse.alertServiceResponse ?? {};
        return [at.toISOString().slice(0, 13), triggerName ?? deviceIds[0]?.id].join(' ');
      })
      .sort();
  const fired = async () =>
    (await scene.fired()).map(({ at, trigger, subject }) => `${at} t${trigger} ${subject}`);
  return { ...scene, callbacksOf, firings: fired };
}

const at = (time: string, ...what: readonly string[]) => what.map((one) => `${time} ${one}`);
const FIRED = {
  january: at('2026-01-05T00:00:00.000Z', `t2 ${imei(2)}`, `t6 ${imei(3)}`),
  february: at(
    '2026-02-01T00:00:00.000Z',
    `t1 ${imei(1)}`,
    `t3 ${imei(1)}`,
    `t3 ${imei(2)}`,
    't4 group 7',
    `t5 ${imei(5)}`,
  ),
  march: at(
    '2026-03-01T00:00:00.000Z',
    `t1 ${imei(1)}`,
    `t1 ${imei(2)}`,
    't4 group 7',
    `t5 ${imei(3)}`,
    `t5 ${imei(5)}`,
  ),
};
const ALERTED = {
  january: [
    ...at('2026-01-05T00', 't2', 't6'),
    ...['2026-01-12T00', '2026-01-19T00', '2026-01-26T00'].map((time) => `${time} t2`),
  ],
  february: [...at('2026-02-01T00', 't1', 't3', 't3', 't4'), '2026-02-02T00 t5'],
  march: [...at('2026-03-01T00', 't1', 't1', 't4'), '2026-03-02T00 t5'],
};

describe('one advance of the clock', () => {
  for (const [to, what, months] of [
    ['2026-02-10T00:00:00Z', 'a month end', ['january', 'february']],
    ['2026-03-10T00:00:00Z', 'two month ends', ['january', 'february', 'march']],
  ] as const)
    it(`over ${what} evaluates, notifies, reminds, summarises, moves and resumes at each time, in order and once`, async () => {
      const scene = await makeScene();
      await scene.advanceTo(to);
      assert.deepEqual(
        await scene.firings(),
        months.flatMap((month) => FIRED[month]),
      );
      assert.deepEqual(
        await scene.callbacksOf('AlertService'),
        months.flatMap((month) => ALERTED[month]),
      );
      assert.deepEqual(await scene.callbacksOf('ResumeTrackingNotification'), [`2026-01-25T00 ${imei(3)}`]);
      assert.deepEqual(
        await scene.callbacksOf('CarrierService'),
        [`2026-01-05T00 ${imei(3)}`, `2026-02-01T00 ${imei(3)}`, `2026-02-01T00 ${imei(4)}`].sort(),
      );
      const lines = await scene.db.many<{ state: string; plan: string }>(sql`
        select state, service_plan as plan from device where imei = any(${[imei(3), imei(4)]}::text[]) order by imei`);
      assert.deepEqual(lines, [
        { state: 'active', plan: 'P' },
        { state: 'active', plan: 'T' },
      ]);
    });
});
