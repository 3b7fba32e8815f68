import assert from 'node:assert/strict';
import type { LevelKind } from '../../firings/index.ts';
import { parseNotification } from '../../price-plan-triggers/parsing/parse-notification.ts';
import { parseRule } from '../../price-plan-triggers/parsing/parse-rule.ts';
import { alertsOf } from '../alert.ts';
import { type Facts, lineKey } from '../facts.ts';
import type { NotifiedFiring } from '../notified-firing.ts';

export const A = '0000123456-00001';
export const B = '0000123456-00002';
export const KB = 1_024;
export const DEVICE = '3c0ff1ce-0000-4000-8000-000000000001';

export const FACTS: Facts = {
  lines: new Map([
    [
      lineKey({ accountName: A, subject: DEVICE }),
      { imei: '990000000000011', msisdn: null, mdn: '5550100001' },
    ],
  ]),
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

export const payAsYouGo = (condition: object, action: object = {}) => ({
  payAsYouGo: {
    filterCriteria: { carrierServicePlanCode: 'C-P', accountNameList: [A, B] },
    condition,
    action,
  },
});
export const individual = {
  conditionType: 'Individual',
  comparator: 'gt',
  threshold: 4,
  thresholdUnit: 'KB',
};
export const suspendDetails = {
  suspendFromAccounts: [A],
  suspendDuration: 'NextBillCycle',
  suspendOption: 'WithoutBilling',
};
export const moves = (from: string, to: string, dataPoolOverageBuffer: number) => ({
  changePlan: [{ fromCarrierCode: from, toCarrierCode: to }],
  dataPoolOverageBuffer,
  triggerDate: 'CurrentDate',
});
export const movingPool = {
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

export function firingOf(
  pricePlanTrigger: object,
  firing: {
    levelKind: LevelKind;
    level: number;
    after: number;
    threshold?: number;
  } & Partial<NotifiedFiring>,
): NotifiedFiring {
  const rule = parseRule(pricePlanTrigger);
  const notifies = parseNotification({
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

/** The values of usage in the callback. */
export const valuesOf = (firing: NotifiedFiring) => {
  const [callback] = alertsOf(firing, FACTS);
  const { payAsYouGo: usage } = (
    callback!.payload as { deviceResponse: { alertServiceResponse: { payAsYouGo: Record<string, unknown> } } }
  ).deviceResponse.alertServiceResponse;
  const { triggerValue, cycleType, threshold, thresholdUnit } = usage;
  return [triggerValue, cycleType, threshold, thresholdUnit];
};
