import type { Cycle } from '../../../kernel/bill-cycle.ts';
import type { NaiveLevel } from './naive-model.ts';

export const ECPD = '9000001';
export const A = '0000123456-00001';
export const B = '0000123456-00002';
export const ACCOUNTS = {
  [A]: { timeZone: 'America/Chicago', billCycleDay: 31 },
  [B]: { timeZone: 'UTC', billCycleDay: 1 },
};
export const KB = 1_024;
export const ALLOWANCE = 8 * KB;
export const IMEIS = ['990000000000011', '990000000000029', '990000000000037', '990000000000045'];
export const accountOf = (imei: string) => (IMEIS.indexOf(imei) < 2 ? A : B);

const triggerId = (n: number) => `7a6d0f5e-9f0a-4c55-8f0e-${String(n).padStart(12, '0')}`;
export const notification = { notificationType: 'PerEvent', callback: false };

export interface Battery {
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

export const batteryOf = (edited: boolean): readonly Battery[] => [
  individual(1, 'gt', edited ? 2 : 3, 'Daily'),
  individual(2, 'eq', edited ? 3 : 4, 'Weekly'),
  individual(3, 'gt', edited ? 9 : 6, 'Monthly'),
  accountLevel(4, false, 5, edited ? 6 : 8, 'Daily'),
  accountLevel(5, true, 9, 12, 'Weekly'),
  allowance(6),
  shareOfLine(7),
  shareOfPool(8),
];
