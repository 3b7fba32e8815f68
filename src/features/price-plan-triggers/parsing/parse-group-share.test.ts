import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRule } from './parse-rule.ts';

type Kind = 'Individual' | 'Pool';
const filterCriteria = { ratePlanGroupId: 7 };
const parse = (kind: Kind, verb: unknown, action: object, filter: object = filterCriteria) =>
  parseRule({
    accountGroupShare: {
      [`accountGroupShare${kind}`]: { filterCriteria: filter, condition: { action: verb }, action },
    },
  });
const ruleOf = (...given: Parameters<typeof parse>) => {
  const { value, problems } = parse(...given);
  assert.ok(value !== undefined && value.kind !== 'payAsYouGo', JSON.stringify(problems));
  return value;
};
const pathsOf = (...given: Parameters<typeof parse>) =>
  parse(...given).problems?.map(({ path }) => path.split('/').slice(4).join('/'));

const percentage = { percentage50: false, percentage75: 'true', percentage90: false, percentage100: true };
const notify = { alertType: 'individualpriceplan', threshold: [{ carrierCode: 'S', percentage }] };
const suspend = {
  suspendDuration: 'NextBillCycle',
  suspendOption: 'withoutBilling',
  alertType: 'IndividualPricePlan',
  threshold: [{ carrierCode: 'S', usagePercentage: 120 }],
};
const move = { fromCarrierCode: 'S', toCarrierCode: 'L' };
const sharePlan = [{ ...move, criteriaPercentage: 100 }];
const moves = { changePlan: [move], dataPoolOverageBuffer: 10, triggerDate: 'CurrentDate' };

describe('a trigger on the lines of a group share', () => {
  const cases: Record<string, [string, object, object]> = {
    'notifies at the percentages of each plan': [
      'notify',
      { notify },
      { type: 'notify', thresholds: [{ carrierCode: 'S', percentages: [75, 100] }] },
    ],
    'suspends at a percentage of each plan': [
      'SUSPEND',
      { suspend },
      {
        type: 'suspend',
        suspension: { duration: 'NextBillCycle', withBilling: false },
        thresholds: [{ carrierCode: 'S', usagePercentage: 120 }],
      },
    ],
    'changes plans, at once by default': [
      'changePricePlan',
      { changePlan: { sharePlan } },
      {
        type: 'changePlan',
        sharePlans: [{ ...move, criteriaPercentage: 100 }],
        effective: 'CurrentDate',
      },
    ],
    'changes plans from the start of the cycle': [
      'changepriceplan',
      { changePlan: { sharePlan, triggerDate: 'backdate' } },
      { type: 'changePlan', sharePlans: sharePlan, effective: 'BackDate' },
    ],
  };
  // proves 2.2.2/individual-notify 2.2.2/individual-suspend 2.2.2/individual-change-plan
  // proves 2.2.2/condition.action
  for (const [name, [verb, action, expected]] of Object.entries(cases))
    it(name, () =>
      assert.deepEqual(ruleOf('Individual', verb, action), {
        kind: 'groupShareIndividual',
        ratePlanGroupId: 7,
        action: expected,
      }),
    );

  const withThreshold = (...threshold: unknown[]) => ({ notify: { threshold } });
  const suspending = (change: object) => ({ suspend: { ...suspend, ...change } });
  const changing = (...plans: unknown[]) => ({ changePlan: { sharePlan: plans } });
  const refused: Record<string, [unknown, object, string]> = {
    'without an action in its condition': [undefined, { notify }, 'condition/action'],
    'with an unknown action': ['restore', { notify }, 'condition/action'],
    'that notifies and has no such action': ['notify', { suspend }, 'action/notify'],
    'that suspends and has no such action': ['suspend', { notify }, 'action/suspend'],
    'that changes plans and has no such action': ['changePricePlan', { notify }, 'action/changePlan'],
    'of an unknown alert type': [
      'notify',
      { notify: { ...notify, alertType: 'pool' } },
      'action/notify/alertType',
    ],
    'without thresholds': ['notify', { notify: {} }, 'action/notify/threshold'],
    'with an empty list of thresholds': ['notify', withThreshold(), 'action/notify/threshold'],
    'with more thresholds than a group has plans': [
      'notify',
      withThreshold(...Array(201).fill({ carrierCode: 'S', percentage })),
      'action/notify/threshold',
    ],
    'with a threshold without plan': [
      'notify',
      withThreshold({ percentage }),
      'action/notify/threshold/0/carrierCode',
    ],
    'with a threshold without percentages': [
      'notify',
      withThreshold({ carrierCode: 'S' }),
      'action/notify/threshold/0/percentage',
    ],
    'with a threshold whose percentages are all false': [
      'notify',
      withThreshold({ carrierCode: 'S', percentage: { percentage50: false } }),
      'action/notify/threshold/0/percentage',
    ],
    'with two thresholds of a plan': [
      'notify',
      withThreshold({ carrierCode: 'S', percentage }, { carrierCode: 'S', percentage }),
      'action/notify/threshold/1',
    ],
    'that suspends for an unknown time': [
      'suspend',
      suspending({ suspendDuration: '31' }),
      'action/suspend/suspendDuration',
    ],
    'that suspends without a billing option': [
      'suspend',
      suspending({ suspendOption: null }),
      'action/suspend/suspendOption',
    ],
    'that suspends at no percentage': [
      'suspend',
      suspending({ threshold: [{ carrierCode: 'S', usagePercentage: 0 }] }),
      'action/suspend/threshold/0/usagePercentage',
    ],
    'that suspends beyond ten times the allowance': [
      'suspend',
      suspending({ threshold: [{ carrierCode: 'S', usagePercentage: 1_001 }] }),
      'action/suspend/threshold/0/usagePercentage',
    ],
    'that changes no plan': ['changePricePlan', changing(), 'action/changePlan/sharePlan'],
    'that changes a plan to none': [
      'changePricePlan',
      changing({ ...sharePlan[0], toCarrierCode: undefined }),
      'action/changePlan/sharePlan/0/toCarrierCode',
    ],
    'that changes a plan to itself': [
      'changePricePlan',
      changing({ ...sharePlan[0], toCarrierCode: 'S' }),
      'action/changePlan/sharePlan/0/toCarrierCode',
    ],
    'that changes a plan at no percentage': [
      'changePricePlan',
      changing({ ...move }),
      'action/changePlan/sharePlan/0/criteriaPercentage',
    ],
    'that changes a plan to two others': [
      'changePricePlan',
      changing(sharePlan[0], { ...sharePlan[0], toCarrierCode: 'XL' }),
      'action/changePlan/sharePlan/1',
    ],
    'that changes plans at an unknown date': [
      'changePricePlan',
      { changePlan: { sharePlan, triggerDate: 'Tomorrow' } },
      'action/changePlan/triggerDate',
    ],
  };
  // proves 2.2.2/individual-notify 2.2.2/individual-suspend 2.2.2/pool-change-plan 2.2.2/condition.action
  // proves price-plan-triggers/bounds price-plan-triggers/overage-buffer
  // proves price-plan-triggers/group-share-defaults
  for (const [name, [verb, action, path]] of Object.entries(refused))
    it(`is refused ${name}`, () => assert.deepEqual(pathsOf('Individual', verb, action), [path]));
});

describe('a trigger on the pool of a group share', () => {
  const parseMoves = { plans: [move], overageBuffer: 10, effective: 'CurrentDate' };
  const cases: Record<string, [string, object, object]> = {
    'notifies at percentages, each once, lowest first': [
      'notify',
      {
        notify: { threshold: [{ percentage }, { percentage: { percentage50: true, percentage100: true } }] },
      },
      { type: 'notify', percentages: [50, 75, 100] },
    ],
    'changes plans in both directions': [
      'changePricePlan',
      {
        automation: 'CUSTOMERAUTOMATION',
        changePlan: {
          changePlanGT: moves,
          changePlanLT: { ...moves, triggerDate: 'BackDate', dataPoolOverageBuffer: 0 },
        },
      },
      {
        type: 'changePlan',
        automation: 'customerAutomation',
        above: parseMoves,
        below: { ...parseMoves, overageBuffer: 0, effective: 'BackDate' },
      },
    ],
    'may change plans in one direction, and leave out what has a default': [
      'changePricePlan',
      { changePlan: { changePlanGT: { ...moves, triggerDate: null }, changePlanLT: null } },
      { type: 'changePlan', automation: 'customerAutomation', above: parseMoves, below: undefined },
    ],
  };
  // proves 2.2.2/pool-notify 2.2.2/pool-change-plan price-plan-triggers/group-share-defaults
  for (const [name, [verb, action, expected]] of Object.entries(cases))
    it(name, () =>
      assert.deepEqual(ruleOf('Pool', verb, action), {
        kind: 'groupSharePool',
        ratePlanGroupId: 7,
        action: expected,
      }),
    );

  const above = (change: object) => ({ changePlan: { changePlanGT: { ...moves, ...change } } });
  const refused: Record<string, [string, object, string]> = {
    'that suspends': ['suspend', { suspend }, 'condition/action'],
    'that notifies at no percentage': [
      'notify',
      { notify: { threshold: [{ percentage: {} }] } },
      'action/notify/threshold/0/percentage',
    ],
    'that changes plans in no direction': ['changePricePlan', { changePlan: {} }, 'action/changePlan'],
    'of another automation': [
      'changePricePlan',
      { automation: 'full', changePlan: { changePlanGT: moves } },
      'action/automation',
    ],
    'that changes no plan': [
      'changePricePlan',
      above({ changePlan: [] }),
      'action/changePlan/changePlanGT/changePlan',
    ],
    'without a buffer': [
      'changePricePlan',
      above({ dataPoolOverageBuffer: undefined }),
      'action/changePlan/changePlanGT/dataPoolOverageBuffer',
    ],
    'with a buffer of more than the pool': [
      'changePricePlan',
      above({ dataPoolOverageBuffer: 101 }),
      'action/changePlan/changePlanGT/dataPoolOverageBuffer',
    ],
    'with two destinations for one plan': [
      'changePricePlan',
      above({ changePlan: [move, { ...move, toCarrierCode: 'XL' }] }),
      'action/changePlan/changePlanGT/changePlan/1',
    ],
    'with an unknown date': [
      'changePricePlan',
      above({ triggerDate: 'Later' }),
      'action/changePlan/changePlanGT/triggerDate',
    ],
  };
  for (const [name, [verb, action, path]] of Object.entries(refused))
    it(`is refused ${name}`, () => assert.deepEqual(pathsOf('Pool', verb, action), [path]));
});

describe('a trigger on a group share', () => {
  for (const [name, filter] of Object.entries({
    'without a group': {},
    'with a group that is no whole number': { ratePlanGroupId: 1.5 },
    'with a group as text that is no number': { ratePlanGroupId: 'seven' },
  }))
    it(`is refused ${name}`, () =>
      assert.deepEqual(pathsOf('Individual', 'notify', { notify }, filter), [
        'filterCriteria/ratePlanGroupId',
      ]));

  it('is refused with neither lines nor a pool, and with both', () => {
    for (const accountGroupShare of [{}, { accountGroupShareIndividual: {}, accountGroupSharePool: {} }])
      assert.equal(
        parseRule({ accountGroupShare }).problems?.[0]?.path,
        '/pricePlanTrigger/accountGroupShare',
      );
  });
});
