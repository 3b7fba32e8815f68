import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LevelKind } from '../../firings/index.ts';
import { outcomesOf } from '../acting/outcomes-of.ts';
import { readNotification } from '../reading/read-notification.ts';
import { readRule } from '../reading/read-rule.ts';
import { alertsOf, messageOf } from './alert.ts';
import { consequence } from './consequence.ts';
import type { Facts } from './facts.ts';
import { noticesOf } from './notice.ts';
import { isBelow, type ToldFiring } from './told-firing.ts';

const A = '0000123456-00001';
const B = '0000123456-00002';
const KB = 1_024;
const DEVICE = '3c0ff1ce-0000-4000-8000-000000000001';

const FACTS: Facts = {
  lines: new Map([[DEVICE, { imei: '990000000000011', msisdn: null, mdn: '5550100001' }]]),
  zones: new Map([[A, 'America/Chicago']]),
  planNames: new Map([
    ['C-P', 'Small'],
    ['C-Q', 'Large'],
  ]),
  movedPlans: new Map([
    ['P', { carrierCode: 'C-P', name: 'Small' }],
    ['Q', { carrierCode: 'C-Q', name: 'Large' }],
  ]),
  outcomes: new Map(),
  groupAccounts: new Map([[7, [A, B]]]),
  listening: new Set([B]),
  notificationGroups: new Map(),
  paused: false,
};

const payAsYouGo = (condition: object, action: object = {}) => ({
  payAsYouGo: {
    filterCriteria: { carrierServicePlanCode: 'C-P', accountNameList: [A, B] },
    condition,
    action,
  },
});
const individual = { conditionType: 'Individual', comparator: 'gt', threshold: 4, thresholdUnit: 'KB' };
const suspendDetails = {
  suspendFromAccounts: [A],
  suspendDuration: 'NextBillCycle',
  suspendOption: 'WithoutBilling',
};
const moves = (from: string, to: string, dataPoolOverageBuffer: number) => ({
  changePlan: [{ fromCarrierCode: from, toCarrierCode: to }],
  dataPoolOverageBuffer,
  triggerDate: 'CurrentDate',
});
const movingPool = {
  accountGroupShare: {
    accountGroupSharePool: {
      filterCriteria: { ratePlanGroupId: 7 },
      condition: { action: 'changePricePlan' },
      action: {
        automation: 'customerAutomation',
        changePlan: { changePlanGT: moves('C-P', 'C-Q', 10), changePlanLT: moves('C-Q', 'C-P', 20) },
      },
    },
  },
};

function firingOf(
  pricePlanTrigger: object,
  firing: { levelKind: LevelKind; level: number; after: number; threshold?: number } & Partial<ToldFiring>,
): ToldFiring {
  const rule = readRule(pricePlanTrigger);
  const notifies = readNotification({
    notificationType: 'PerEvent',
    callback: true,
    emailNotification: true,
    externalEmailRecipients: 'ops@example.com',
    severity: 'Critical',
  });
  assert.ok(rule.value !== undefined && notifies.value !== undefined, JSON.stringify(rule));
  return {
    firingId: 'b3f0c6d2-9a51-4f7e-8a0c-2d5e91c7a4f3',
    triggerId: '7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a001',
    kind: 'pricePlan',
    accountName: A,
    subject: DEVICE,
    cycle: { from: new Date('2026-01-01T06:00:00Z'), to: new Date('2026-02-01T06:00:00Z') },
    before: 0,
    threshold: firing.level,
    usageRecordId: 'r1',
    ruleVersion: 1,
    firedAt: new Date('2026-01-05T12:00:00Z'),
    late: false,
    trigger: {
      triggerId: '7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a001',
      triggerName: 'watch',
      rule: rule.value,
      notifies: notifies.value,
    },
    ...firing,
  };
}

/** What the callback says of the usage. */
const said = (firing: ToldFiring) => {
  const [callback] = alertsOf(firing, FACTS);
  const { payAsYouGo: usage } = (
    callback!.payload as { deviceResponse: { alertServiceResponse: { payAsYouGo: Record<string, unknown> } } }
  ).deviceResponse.alertServiceResponse;
  const { triggerValue, cycleType, threshold, thresholdUnit } = usage;
  return [triggerValue, cycleType, threshold, thresholdUnit];
};

describe('the value and threshold of an alert', () => {
  it('are in the unit of the trigger, on the side of the threshold where the counter is', () => {
    const above = { levelKind: 'bytes', level: 4 * KB, after: 4 * KB + 1 } as const;
    assert.deepEqual(said(firingOf(payAsYouGo(individual), above)), [5, 'DAILY', 4, 'KB']);
    const below = { levelKind: 'bytes', level: 4 * KB, after: 4 * KB - 1 } as const;
    const lt = { ...individual, comparator: 'lt', cycleType: 'Weekly' };
    assert.deepEqual(said(firingOf(payAsYouGo(lt), below)), [3, 'WEEKLY', 4, 'KB']);
  });

  it('are in the unit of the suspension where that is the level', () => {
    const rule = payAsYouGo(
      { ...individual, conditionType: 'AccountLevel', separateOrCombined: 'Separate' },
      { suspend: true, suspendDetails: { ...suspendDetails, threshold: 2, thresholdUnit: 'MB' } },
    );
    const level = 2 * KB * KB;
    const firing = firingOf(rule, { levelKind: 'suspendBytes', level, after: level + 1, subject: A });
    assert.deepEqual(said(firing), [3, 'DAILY', 2, 'MB']);
  });

  it('are percentages of the allowance, or bill cycles, without a unit', () => {
    const allowance = payAsYouGo({ conditionType: 'UsageAllowance', percentage90: true });
    const percent = { levelKind: 'percent', level: 90, threshold: 900, after: 912, subject: A } as const;
    assert.deepEqual(said(firingOf(allowance, percent)), [91, 'MONTHLY', 90, undefined]);
    const aging = payAsYouGo({ conditionType: 'Aging' }, { agingDetails: { onNumberOfBillCycle: 3 } });
    const cycles = { levelKind: 'billCycles', level: 3, after: 3 } as const;
    assert.deepEqual(said(firingOf(aging, cycles)), [3, undefined, 3, undefined]);
  });
});

describe('the alert of a pool', () => {
  const level = {
    levelKind: 'percent',
    level: 100,
    threshold: 1_000,
    after: 1_040,
    subject: 'group 7',
  } as const;

  it('names each account that listens, and has no action before lines were moved', () => {
    const callbacks = alertsOf(firingOf(movingPool, level), FACTS);
    assert.deepEqual(
      callbacks.map(({ accountName }) => accountName),
      [B],
    );
    assert.ok(!JSON.stringify(callbacks[0]!.payload).includes('changePlan'));
  });

  const told = (
    firing: ToldFiring,
    state: 'waiting' | 'awaitingApproval' | 'skipped',
    reason: string | null,
  ) => {
    const [fromPlan, toPlan] = isBelow(firing) ? ['Q', 'P'] : ['P', 'Q'];
    const pool = { bytes: 100, since: '2026-01-05T12:00:00.000Z' };
    const params = { planCodes: [fromPlan!], toPlan: toPlan!, effective: 'CurrentDate', pool } as const;
    const move = { kind: 'changePlan', firingId: firing.firingId, params, state, reason } as const;
    // Of two accounts: what goes the same way counts together.
    const outcomes = outcomesOf([
      { ...move, deviceCount: 2 },
      { ...move, deviceCount: 3 },
    ]);
    const [callback] = alertsOf(firing, { ...FACTS, outcomes });
    const { alertServiceResponse } = (
      callback!.payload as {
        deviceResponse: {
          alertServiceResponse: { message: string; accountGroupShare: { action?: object } };
        };
      }
    ).deviceResponse;
    return alertServiceResponse;
  };

  it('has the moves beside by how much they change the pool, in the direction in which they are made', () => {
    const above = told(firingOf(movingPool, level), 'waiting', null);
    assert.deepEqual(above.accountGroupShare, {
      servicePlanGroupId: 7,
      allowance: 1_000,
      action: {
        changePlan: {
          changePlanAutomation: 'customerAutomation',
          moreThan100Percentage: {
            effectiveDate: '2026-01-05T12:00:00.000Z',
            bufferReduced: 200,
            devicePerPricePlan: [
              {
                deviceCount: 5,
                fromCarrierServicePlanCode: 'C-P',
                fromServicePlanDescription: 'Small',
                toCarrierServicePlanCode: 'C-Q',
                toServicePlanDescription: 'Large',
              },
            ],
          },
        },
      },
    });
    const unused = { ...level, levelKind: 'poolBelow', after: 600 } as const;
    const below = told(firingOf(movingPool, unused), 'waiting', null);
    assert.deepEqual(Object.keys((below.accountGroupShare.action as { changePlan: object }).changePlan), [
      'changePlanAutomation',
      'lessThan100Percentage',
    ]);
    assert.match(below.message, /60 % \(600 of 1000 bytes\), threshold less than 100 % of the allowance/);
  });

  it('has none while they wait for approval or cannot be made, and says so instead', () => {
    const waiting = told(
      firingOf(movingPool, level),
      'awaitingApproval',
      'It would touch 5 devices, more than 4',
    );
    assert.equal(waiting.accountGroupShare.action, undefined);
    assert.match(
      waiting.message,
      /It would touch 5 devices, more than 4: it waits until somebody approves it\.$/,
    );
    const skipped = told(firingOf(movingPool, level), 'skipped', 'There was no line to act upon');
    assert.equal(skipped.accountGroupShare.action, undefined);
    assert.match(skipped.message, /There was no line to act upon\.$/);
  });
});

describe('what is said to follow', () => {
  const crossed = { levelKind: 'bytes', level: 4 * KB, after: 5 * KB } as const;
  const suspends = payAsYouGo(individual, { suspend: true, suspendDetails });
  const accountLevel = payAsYouGo(
    { ...individual, conditionType: 'AccountLevel', separateOrCombined: 'Separate' },
    { suspend: true, suspendDetails: { ...suspendDetails, threshold: 8, thresholdUnit: 'KB' } },
  );
  const changes = payAsYouGo(individual, {
    changePlan: true,
    changePlanDetails: { toCarrierServicePlanCode: 'C-Q' },
  });
  const allowance = payAsYouGo(
    { conditionType: 'UsageAllowance', percentage50: true, percentage90: true },
    { suspend: true, suspendDetails: { ...suspendDetails, suspendFromAccounts: [A, B] } },
  );
  const aging = payAsYouGo(
    { conditionType: 'Aging' },
    { suspend: true, suspendDetails, agingDetails: { onNumberOfBillCycle: 3 } },
  );
  const pool = { levelKind: 'percent', level: 100, threshold: 100, subject: 'group 7' } as const;
  const below = { ...pool, levelKind: 'poolBelow', after: 60 } as const;
  const cases: readonly (readonly [string, ToldFiring, RegExp])[] = [
    ['nothing, when it only notifies', firingOf(payAsYouGo(individual), crossed), /^Nothing else/],
    [
      'the suspension of the line',
      firingOf(suspends, crossed),
      /^The line will be suspended until the next bill cycle, without billing\.$/,
    ],
    [
      'nothing, for a line of an account that is not to be suspended',
      firingOf(suspends, { ...crossed, accountName: B }),
      /^Nothing else/,
    ],
    [
      'nothing yet, below the level at which an account is suspended',
      firingOf(accountLevel, { ...crossed, subject: A }),
      /^Nothing is suspended before more than 8 KB are used\.$/,
    ],
    [
      'the suspension of the lines of an account',
      firingOf(accountLevel, { levelKind: 'suspendBytes', level: 8 * KB, after: 9 * KB, subject: A }),
      /^The lines on the plan of account 0000123456-00001 will be suspended /,
    ],
    [
      'nothing yet, below the highest percentage of the allowance',
      firingOf(
        payAsYouGo(
          { conditionType: 'UsageAllowance', percentage50: true, percentage90: true },
          { suspend: true, suspendDetails },
        ),
        { levelKind: 'percent', level: 50, threshold: 500, after: 510, subject: A },
      ),
      /^Nothing is suspended before 90 % of the allowance are used\.$/,
    ],
    [
      'the plan that a line is moved to',
      firingOf(changes, crossed),
      /^The line will be moved to plan Large\.$/,
    ],
    [
      'nothing yet, below the highest percentage of an allowance',
      firingOf(allowance, { levelKind: 'percent', level: 50, threshold: 50, after: 60, subject: A }),
      /^Nothing is suspended before 90 % of the allowance are used\.$/,
    ],
    [
      'the suspension of the lines of the account that has reached the highest',
      firingOf(allowance, { levelKind: 'percent', level: 90, threshold: 90, after: 91, subject: A }),
      /^The lines on the plan of account 0000123456-00001 will be suspended /,
    ],
    [
      'nothing, for an account that is not to be suspended',
      firingOf(accountLevel, {
        levelKind: 'suspendBytes',
        level: 8 * KB,
        after: 9 * KB,
        subject: B,
        accountName: B,
      }),
      /^Nothing else/,
    ],
    [
      'the suspension of a line that has been on its plan for so long',
      firingOf(aging, { levelKind: 'billCycles', level: 3, after: 3 }),
      /^The line will be suspended /,
    ],
    ['moves upward', firingOf(movingPool, { ...pool, after: 101 }), /to larger plans until .* 10 % more /],
    ['moves downward', firingOf(movingPool, below), /to smaller plans until .* 20 % more /],
    ['nothing, when it came late', firingOf(suspends, { ...crossed, late: true }), /nothing else is done\.$/],
  ];
  for (const [what, firing, text] of cases)
    it(`is ${what}`, () => assert.match(consequence(firing, FACTS), text));

  it('is nothing while actions are paused, and that is said only where something would', () => {
    const paused = { ...FACTS, paused: true };
    assert.match(consequence(firingOf(suspends, crossed), paused), /^Actions are paused/);
    assert.match(consequence(firingOf(payAsYouGo(individual), crossed), paused), /^Nothing else/);
  });

  it('is said beside how much of a pool was used', () =>
    assert.match(
      messageOf(firingOf(movingPool, below), FACTS),
      /group 7: 60 % \(60 of 100 bytes\), threshold less than 100 % of the allowance; /,
    ));

  it('is not said again by a reminder', () => {
    const firing = firingOf(suspends, crossed);
    assert.match(messageOf(firing, FACTS), /will be suspended/);
    assert.doesNotMatch(messageOf(firing, FACTS, 'Reminder 1 of 2'), /will be suspended/);
    const notice = { trigger: firing.trigger, firings: [firing], unlisted: 0, dedupeKey: 'k' };
    const [mail] = noticesOf({ ...notice, occasion: 'Reminder 1 of 2' }, FACTS);
    assert.doesNotMatch(mail!.text, /will be suspended/);
    assert.match(mail!.subject!, /^\[Critical\] Reminder 1 of 2: watch: line 990000000000011 /);
  });
});
