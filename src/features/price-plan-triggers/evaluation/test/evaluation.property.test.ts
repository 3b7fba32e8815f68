import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { makeWorld } from '../../../../../test/support/world.ts';
import type { Cycle } from '../../../../kernel/bill-cycle.ts';
import { sql } from '../../../../platform/db/sql.ts';
import { makeModel, type NaiveLevel, type NaiveRecord } from './naive-model.ts';

const ECPD = '9000001';
const A = '0000123456-00001';
const B = '0000123456-00002';
const ACCOUNTS = {
  [A]: { timeZone: 'America/Chicago', billCycleDay: 31 },
  [B]: { timeZone: 'UTC', billCycleDay: 1 },
};
const KB = 1_024;
const ALLOWANCE = 8 * KB;
const IMEIS = ['990000000000011', '990000000000029', '990000000000037', '990000000000045'];
const accountOf = (imei: string) => (IMEIS.indexOf(imei) < 2 ? A : B);

const world = await makeWorld();
await world.import({
  profiles: [{ ecpdId: ECPD }],
  accounts: Object.entries(ACCOUNTS).map(([accountName, account]) => ({
    accountName,
    ecpdId: ECPD,
    ...account,
  })),
  plans: [
    { code: 'P', carrierServicePlanCode: 'CARRIER-P', name: 'P', kind: 'share', allowanceBytes: ALLOWANCE },
  ],
  ratePlanGroups: [{ ratePlanGroupId: 7, ecpdId: ECPD, planCodes: ['P'], accounts: [A, B] }],
  devices: IMEIS.map((imei) => ({
    accountName: accountOf(imei),
    imei,
    servicePlan: 'P',
    planSince: '2025-01-01T00:00:00Z',
  })),
});
const { db } = world.ctx;
const idOf = new Map(
  (await db.many<{ imei: string; id: string }>(sql`select imei, device_id as id from device`)).map((d) => [
    d.imei,
    d.id,
  ]),
);

const triggerId = (n: number) => `7a6d0f5e-9f0a-4c55-8f0e-${String(n).padStart(12, '0')}`;
const notification = { notificationType: 'PerEvent', callback: false };

interface Battery {
  readonly document: object;
  readonly levels: readonly NaiveLevel[];
}

const individual = (n: number, comparator: 'gt' | 'eq', kb: number, cycle: Cycle): Battery => ({
  document: {
    triggerId: triggerId(n),
    payAsYouGo: {
      filterCriteria: { carrierServicePlanCode: 'CARRIER-P', accountNameList: [A, B] },
      condition: {
        conditionType: 'Individual',
        comparator,
        threshold: kb,
        thresholdUnit: 'KB',
        cycleType: cycle,
      },
      action: {},
    },
  },
  levels: [
    {
      trigger: triggerId(n),
      scope: 'device',
      accounts: [A, B],
      cycle,
      kind: 'bytes',
      level: kb * KB,
      comparator,
      thresholdBytes: kb * KB,
    },
  ],
});

const accountLevel = (n: number, combined: boolean, kb: number, suspendKb: number, cycle: Cycle): Battery => {
  const scope = combined ? 'sum' : 'account';
  const base = {
    trigger: triggerId(n),
    scope,
    accounts: [A, B],
    cycle,
    comparator: 'gt',
    ...(combined && { sum: { subject: 'combined', account: A } }),
  } as const;
  return {
    document: {
      triggerId: triggerId(n),
      payAsYouGo: {
        filterCriteria: { carrierServicePlanCode: 'CARRIER-P', accountNameList: [A, B] },
        condition: {
          conditionType: 'AccountLevel',
          comparator: 'gt',
          threshold: kb,
          thresholdUnit: 'KB',
          cycleType: cycle,
          separateOrCombined: combined ? 'Combined' : 'Separate',
        },
        action: {
          suspend: true,
          suspendDetails: {
            suspendFromAccounts: [A, B],
            suspendDuration: '30',
            suspendOption: 'WithBilling',
            threshold: suspendKb,
            thresholdUnit: 'KB',
          },
        },
      },
    },
    levels: [
      { ...base, kind: 'bytes', level: kb * KB, thresholdBytes: kb * KB },
      { ...base, kind: 'suspendBytes', level: suspendKb * KB, thresholdBytes: suspendKb * KB },
    ],
  };
};

const PERCENTS = { percentage50: true, percentage75: false, percentage90: false, percentage100: true };
const percentLevels = (
  base: Omit<NaiveLevel, 'kind' | 'level' | 'comparator' | 'thresholdBytes'>,
  pool: number,
) =>
  [50, 100].map(
    (level): NaiveLevel => ({
      ...base,
      kind: 'percent',
      level,
      comparator: 'reach',
      thresholdBytes: (pool * level) / 100,
    }),
  );

const allowance = (n: number): Battery => ({
  document: {
    triggerId: triggerId(n),
    payAsYouGo: {
      filterCriteria: { carrierServicePlanCode: 'CARRIER-P', accountNameList: [A, B] },
      condition: { conditionType: 'UsageAllowance', ...PERCENTS },
      action: {},
    },
  },
  levels: [A, B].flatMap((account) =>
    percentLevels(
      {
        trigger: triggerId(n),
        scope: 'sum',
        accounts: [account],
        cycle: 'Monthly',
        sum: { subject: account, account },
      },
      2 * ALLOWANCE,
    ),
  ),
});

const shareOfLine = (n: number): Battery => ({
  document: {
    triggerId: triggerId(n),
    accountGroupShare: {
      accountGroupShareIndividual: {
        filterCriteria: { ratePlanGroupId: 7 },
        condition: { action: 'notify' },
        action: {
          notify: {
            alertType: 'individualpriceplan',
            threshold: [{ carrierCode: 'CARRIER-P', percentage: PERCENTS }],
          },
        },
      },
    },
  },
  levels: percentLevels(
    { trigger: triggerId(n), scope: 'device', accounts: [A, B], cycle: 'Monthly' },
    ALLOWANCE,
  ),
});

const shareOfPool = (n: number): Battery => ({
  document: {
    triggerId: triggerId(n),
    accountGroupShare: {
      accountGroupSharePool: {
        filterCriteria: { ratePlanGroupId: 7 },
        condition: { action: 'notify' },
        action: { notify: { threshold: [{ percentage: PERCENTS }] } },
      },
    },
  },
  levels: percentLevels(
    {
      trigger: triggerId(n),
      scope: 'sum',
      accounts: [A, B],
      cycle: 'Monthly',
      sum: { subject: 'group 7', account: A },
    },
    4 * ALLOWANCE,
  ),
});

const batteryOf = (edited: boolean): readonly Battery[] => [
  individual(1, 'gt', edited ? 2 : 3, 'Daily'),
  individual(2, 'eq', edited ? 3 : 4, 'Weekly'),
  individual(3, 'gt', edited ? 9 : 6, 'Monthly'),
  accountLevel(4, false, 5, edited ? 6 : 8, 'Daily'),
  accountLevel(5, true, 9, 12, 'Weekly'),
  allowance(6),
  shareOfLine(7),
  shareOfPool(8),
];

const importBattery = (battery: readonly Battery[]) =>
  world.import({
    pricePlanTriggers: battery.map(({ document }, n) => {
      const { triggerId: id, ...pricePlanTrigger } = document as { triggerId: string };
      return { triggerId: id, triggerName: `t${n}`, ecpdId: ECPD, pricePlanTrigger, notification };
    }),
  });

async function startOver(): Promise<void> {
  await db.exec(sql`truncate usage_record, usage_device_month, usage_account_day, usage_bill_day`);
  await db.exec(sql`truncate firing`);
  await db.exec(sql`delete from price_plan_trigger`);
}

const HOUR_MS = 3_600_000;
const Usage = fc.record({
  imei: fc.constantFrom(...IMEIS),
  /** Before the time of its batch. */
  agoHours: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 24 * 40 })),
  bytes: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.constantFrom(0, 1, KB, 3 * KB)),
  repeats: fc.boolean(),
});
const Batches = fc.array(
  fc.record({
    /** How long after the one before. */
    afterHours: fc.integer({ min: 0, max: 24 * 8 }),
    usage: fc.array(Usage, { minLength: 1, maxLength: 25 }),
    edit: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
);

describe('the evaluation of a batch', () => {
  it('fires what looking at one record after the other fires, whatever the order, repetitions, zones and edits', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 60 }), Batches, async (startDay, batches) => {
        run++;
        world.clock.holdAt(new Date(Date.UTC(2026, 0, 20 + startDay)));
        await startOver();
        let edited = false;
        await importBattery(batteryOf(edited));
        const model = makeModel(ACCOUNTS);
        let made = 0;
        for (const { afterHours, usage, edit } of batches) {
          world.pass(afterHours * HOUR_MS);
          if (edit) {
            edited = !edited;
            await importBattery(batteryOf(edited));
          }
          const nowMs = world.clock.now().getTime();
          const records = usage.map(({ imei, agoHours, bytes, repeats }): NaiveRecord & { imei: string } => {
            if (!repeats || made === 0) made++;
            const atMs = nowMs - agoHours * HOUR_MS;
            return {
              id: `${run}-${made}`,
              account: accountOf(imei),
              device: idOf.get(imei)!,
              imei,
              atMs,
              bytes,
            };
          });
          const fed = await world.operator(
            'POST',
            '/usage',
            records.map(({ id, imei, atMs, bytes }) => ({
              id,
              kind: 'imei',
              device: imei,
              at: new Date(atMs).toISOString(),
              bytes,
            })),
          );
          assert.equal(fed.statusCode, 200, fed.body);
          const levels = batteryOf(edited).flatMap((battery) => battery.levels);
          for (const record of records) model.take(record, levels, nowMs);
        }
        const firings = await db.many<object>(sql`
          select trigger_id as trigger, subject, level_kind as kind, level::float8 as level,
            to_char(cycle_from at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') as from,
            counted_before::float8 as before, counted_after::float8 as after, usage_record_id as record, late
          from firing`);
        const sorted = (list: readonly object[]) => list.map((one) => JSON.stringify(one)).sort();
        assert.deepEqual(sorted(firings), sorted(model.firings()));
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });
});
