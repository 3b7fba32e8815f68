import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type {
  GroupShareIndividual,
  GroupSharePool,
  PayAsYouGo,
  Rule,
  Threshold,
} from '../../price-plan-triggers/rule.ts';
import { type Codes, decideActions, poolMovesOf } from '../decide-actions.ts';

const A = '0000123456-00001';
const B = '0000123456-00002';
const threshold: Threshold = { value: 1, unit: 'MB', bytes: 1_048_576 };
const suspension = { duration: 30, withBilling: false } as const;
const codes: Codes = {
  plansOf: (carrierCode) => [carrierCode.replace('CARRIER-', '')],
  planOf: (deviceId) => ({ d1: 'S', d2: 'L' })[deviceId],
};

const payAsYouGo = (condition: PayAsYouGo['condition'], action: PayAsYouGo['action']): PayAsYouGo => ({
  kind: 'payAsYouGo',
  carrierServicePlanCode: 'CARRIER-P',
  accountNames: [A, B],
  condition,
  action,
});
const suspend = (fromAccounts: readonly string[], own?: Threshold): PayAsYouGo['action'] => ({
  type: 'suspend',
  fromAccounts,
  suspension,
  threshold: own,
});
const INDIVIDUAL = { type: 'Individual', comparator: 'gt', threshold, cycle: 'Daily' } as const;
const ACCOUNT_LEVEL = { ...INDIVIDUAL, type: 'AccountLevel', combined: false } as const;

/** The affected lines by account: one line, or all. */
const touched = (rule: Rule, fired: object) =>
  decideActions(
    { accountName: A, subject: 'd1', level: 1, levelKind: 'bytes', ...fired, trigger: { rule } as never },
    codes,
  ).map(({ accountName, deviceId = 'all', act }) => [accountName, deviceId, act.kind]);

describe('what a firing does', () => {
  it('is nothing if the trigger only notifies', () =>
    assert.deepEqual(touched(payAsYouGo(INDIVIDUAL, { type: 'notify' }), {}), []));

  it('affects its own line, if the line belongs to a named account', () => {
    assert.deepEqual(touched(payAsYouGo(INDIVIDUAL, suspend([A])), {}), [[A, 'd1', 'suspend']]);
    assert.deepEqual(touched(payAsYouGo(INDIVIDUAL, suspend([B])), {}), []);
    const change = { type: 'changePlan', toCarrierServicePlanCode: 'Q' } as const;
    assert.deepEqual(
      touched(payAsYouGo({ type: 'Aging', billCycles: 2 }, change), { levelKind: 'billCycles' }),
      [[A, 'd1', 'changePlan']],
    );
  });

  // proves price-plan-triggers/without-backdate
  it('applies to the plan on which a line was counted, if a code stands for several', () => {
    const two: Codes = { plansOf: () => ['S', 'L'], planOf: codes.planOf };
    const plansOf = (subject: string) =>
      decideActions(
        { ...fired, subject, trigger: { rule: payAsYouGo(INDIVIDUAL, suspend([A])) } as never },
        two,
      ).map(({ act }) => act.params.planCodes);
    const fired = { accountName: A, level: 1, levelKind: 'bytes' } as const;
    assert.deepEqual([plansOf('d1'), plansOf('d2'), plansOf('unknown')], [[['S']], [['L']], [['S', 'L']]]);
  });

  it('affects all lines of accounts only at the level of the suspension', () => {
    const separate = payAsYouGo(ACCOUNT_LEVEL, suspend([A, B], threshold));
    assert.deepEqual(touched(separate, { subject: A }), []);
    assert.deepEqual(touched(separate, { subject: A, levelKind: 'suspendBytes' }), [[A, 'all', 'suspend']]);
    const combined = payAsYouGo({ ...ACCOUNT_LEVEL, combined: true }, suspend([B], threshold));
    assert.deepEqual(touched(combined, { levelKind: 'suspendBytes' }), [[B, 'all', 'suspend']]);
  });

  // proves price-plan-triggers/suspension
  it('happens at the highest percentage of an allowance', () => {
    const rule = payAsYouGo({ type: 'UsageAllowance', percentages: [50, 90] }, suspend([A, B]));
    assert.deepEqual(touched(rule, { levelKind: 'percent', level: 50 }), []);
    assert.deepEqual(touched(rule, { levelKind: 'percent', level: 90 }), [[A, 'all', 'suspend']]);
  });

  it('follows the group’s entry for the plan of the line', () => {
    const move = (from: string, to: string) => ({
      fromCarrierCode: from,
      toCarrierCode: to,
      criteriaPercentage: 90,
    });
    const rule: GroupShareIndividual = {
      kind: 'groupShareIndividual',
      ratePlanGroupId: 7,
      action: {
        type: 'changePlan',
        sharePlans: [move('CARRIER-L', 'CARRIER-S'), move('CARRIER-S', 'CARRIER-L')],
        effective: 'BackDate',
      },
    };
    const [decision] = decideActions(
      { accountName: A, subject: 'd1', level: 90, levelKind: 'percent', trigger: { rule } as never },
      codes,
    );
    assert.deepEqual(decision?.act, {
      kind: 'changePlan',
      params: { planCodes: ['S'], toPlan: 'CARRIER-L', effective: 'BackDate' },
    });
    assert.deepEqual(touched(rule, { level: 50, levelKind: 'percent' }), []);
  });

  it('moves lines upward in a pool that is used up and downward in one that is not', () => {
    const moves = { plans: [], overageBuffer: 10, effective: 'CurrentDate' } as const;
    const rule: GroupSharePool = {
      kind: 'groupSharePool',
      ratePlanGroupId: 7,
      action: { type: 'changePlan', automation: 'customerAutomation', above: moves, below: undefined },
    };
    assert.equal(poolMovesOf(rule, { after: 10, threshold: 10 })?.direction, 'above');
    assert.equal(poolMovesOf(rule, { after: 9, threshold: 10 }), undefined);
  });
});
