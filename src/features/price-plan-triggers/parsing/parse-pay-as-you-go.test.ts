import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRule } from './parse-rule.ts';

const A = '0000123456-00001';
const B = '0000123456-00002';
const MB = 1024 ** 2;
const BASE = '/pricePlanTrigger/payAsYouGo';

const filterCriteria = { carrierServicePlanCode: 'P', accountNameList: [A, B] };
const individual = { conditionType: 'Individual', comparator: 'gt', threshold: 5 };
const accountLevel = { ...individual, conditionType: 'AccountLevel' };
const allowance = { conditionType: 'UsageAllowance', percentage50: true };
const aging = { conditionType: 'Aging' };
const suspendDetails = { suspendFromAccounts: [A], suspendDuration: '30', suspendOption: 'WithBilling' };
const suspend = { suspend: true, suspendDetails };
const change = { changePlan: true, changePlanDetails: { toCarrierServicePlanCode: 'Q' } };

const parse = (condition: object, action: object = {}, filter: object = filterCriteria) =>
  parseRule({ payAsYouGo: { filterCriteria: filter, condition, action } });
const ruleOf = (...given: Parameters<typeof parse>) => {
  const { value, problems } = parse(...given);
  assert.ok(value?.kind === 'payAsYouGo', JSON.stringify(problems));
  return value;
};
const conditionOf = (...given: Parameters<typeof parse>) => ruleOf(...given).condition;
const actionOf = (...given: Parameters<typeof parse>) => ruleOf(...given).action;
const pathsOf = (...given: Parameters<typeof parse>) =>
  parse(...given).problems?.map(({ path }) => path.replace(`${BASE}/`, ''));

const fiveMb = { value: 5, unit: 'MB', bytes: 5 * MB };
const parseAsIndividual = { type: 'Individual', comparator: 'gt', threshold: fiveMb, cycle: 'Daily' };

describe('the condition of a pay-as-you-go trigger', () => {
  const cases: Record<string, [object, object]> = {
    'is Individual if it is named': [individual, parseAsIndividual],
    'is Individual when its type is absent': [{ comparator: 'gt', threshold: 5 }, parseAsIndividual],
    'is Individual when its type is blank': [{ ...individual, conditionType: ' ' }, parseAsIndividual],
    'is Individual when its type is null': [{ ...individual, conditionType: null }, parseAsIndividual],
    'is read in any letter case': [
      {
        conditionType: 'INDIVIDUAL',
        comparator: 'GT',
        threshold: 5,
        thresholdUnit: 'mb',
        cycleType: 'daily',
      },
      parseAsIndividual,
    ],
    'has its comparator under either spelling': [{ comparitor: 'lt', threshold: 5 }, { comparator: 'lt' }],
    'follows the right spelling where both are there': [
      { comparator: 'eq', comparitor: 'lt', threshold: 5 },
      { comparator: 'eq' },
    ],
    'may be weekly or monthly': [{ ...individual, cycleType: 'Monthly' }, { cycle: 'Monthly' }],
    'counts 1,024 bytes as a KB': [
      { ...individual, thresholdUnit: 'KB' },
      { threshold: { value: 5, unit: 'KB', bytes: 5_120 } },
    ],
    'may have the largest threshold that bytes can be exact for': [
      { ...individual, threshold: 8_191, thresholdUnit: 'TB' },
      { threshold: { value: 8_191, unit: 'TB', bytes: 8_191 * 1024 ** 4 } },
    ],
    'may have the threshold 0, which the first byte exceeds': [
      { ...individual, comparator: 'GT', threshold: 0 },
      { threshold: { value: 0, unit: 'MB', bytes: 0 } },
    ],
    'of account level is separate by default': [
      accountLevel,
      { type: 'AccountLevel', combined: false, threshold: fiveMb, cycle: 'Daily' },
    ],
    'of account level may be combined': [
      { ...accountLevel, separateOrCombined: 'combined' },
      { combined: true },
    ],
    'may be Separate where that has no effect': [{ ...individual, separateOrCombined: 'Separate' }, {}],
    'on the allowance has the percentages that are true, lowest first': [
      { ...allowance, percentage100: 'true', percentage75: false, percentage90: 'FALSE' },
      { type: 'UsageAllowance', percentages: [50, 100] },
    ],
    'may have its percentages nested': [
      { conditionType: 'UsageAllowance', allowanceThreshold: { percentage75: true, percentage90: 'true' } },
      { percentages: [75, 90] },
    ],
    'may have percentages that are false where they mean nothing': [
      { ...individual, percentage50: false, allowanceThreshold: { percentage90: false } },
      parseAsIndividual,
    ],
  };
  // proves 2.2.1-condition/conditionType 2.2.1-condition/thresholdUnit 2.2.1-condition/cycleType
  // proves 2.2.1-condition/separateOrCombined 2.2.1-condition/percentages
  // proves price-plan-triggers/trigger-spellings price-plan-triggers/units-and-cycles
  // proves price-plan-triggers/bounds
  for (const [name, [condition, expected]] of Object.entries(cases))
    it(name, () => assert.partialDeepStrictEqual(conditionOf(condition), expected));

  // proves 2.2.1-condition/conditionType 2.2.1-action/agingDetails
  it('by age counts bill cycles, which are in the action', () =>
    assert.deepEqual(conditionOf(aging, { agingDetails: { onNumberOfBillCycle: 3 } }), {
      type: 'Aging',
      billCycles: 3,
    }));

  const refused: Record<string, [object, string[], object?]> = {
    'of an unknown type': [{ ...individual, conditionType: 'Device' }, ['condition/conditionType']],
    'without comparator': [{ threshold: 5 }, ['condition/comparator']],
    'without comparator, of account level': [{ ...accountLevel, comparator: null }, ['condition/comparator']],
    'with an unknown comparator': [{ ...individual, comparator: 'ge' }, ['condition/comparator']],
    'without threshold': [{ comparator: 'gt' }, ['condition/threshold']],
    'without threshold, of account level': [
      { ...accountLevel, threshold: undefined },
      ['condition/threshold'],
    ],
    'without both, and reports both': [{}, ['condition/comparator', 'condition/threshold']],
    'with a threshold of 0, below which no usage is': [
      { ...individual, comparator: 'lt', threshold: 0 },
      ['condition/threshold'],
    ],
    'with a threshold of 0, which no usage passes': [
      { ...individual, comparator: 'eq', threshold: '0' },
      ['condition/threshold'],
    ],
    'with a threshold of less than 0': [{ ...individual, threshold: -1 }, ['condition/threshold']],
    'with a part of a unit': [{ ...individual, threshold: 1.5 }, ['condition/threshold']],
    'with a part of a unit as text': [{ ...individual, threshold: '1.5' }, ['condition/threshold']],
    'with more bytes than can be exact': [
      { ...individual, threshold: 8_192, thresholdUnit: 'TB' },
      ['condition/threshold'],
    ],
    'in an unknown unit': [{ ...individual, thresholdUnit: 'PB' }, ['condition/thresholdUnit']],
    'of an unknown cycle': [{ ...individual, cycleType: 'Yearly' }, ['condition/cycleType']],
    'that combines accounts at another level': [
      { ...individual, separateOrCombined: 'Combined' },
      ['condition/separateOrCombined'],
    ],
    'with percentages at another level': [{ ...individual, percentage50: true }, ['condition']],
    'with nested percentages at another level': [
      { ...accountLevel, allowanceThreshold: { percentage50: true } },
      ['condition'],
    ],
    'on the allowance without a percentage': [{ conditionType: 'UsageAllowance' }, ['condition']],
    'on the allowance with a percentage that is no flag': [
      { ...allowance, percentage75: 'yes' },
      ['condition/percentage75'],
    ],
    'by age without details': [aging, ['action/agingDetails']],
    'by age of no cycle': [
      aging,
      ['action/agingDetails/onNumberOfBillCycle'],
      { agingDetails: { onNumberOfBillCycle: 0 } },
    ],
  };
  // proves 2.2.1-condition/* 2.2.1/filterCriteria 2.2.1-action/suspend 2.2.1-action/suspendDetails
  // proves 2.2.1-action/changePlanDetails 2.2.1-action/agingDetails 8/suspendDuration
  // proves price-plan-triggers/units-and-cycles price-plan-triggers/unfitting-members
  // proves price-plan-triggers/suspended-accounts price-plan-triggers/suspend-option
  for (const [name, [condition, paths, action]] of Object.entries(refused))
    it(`is refused ${name}`, () => assert.deepEqual(pathsOf(condition, action), paths));
});

describe('the action of a pay-as-you-go trigger', () => {
  // proves 2.2.1/action
  it('is to notify by default', () => {
    for (const action of [{}, { suspend: false, changePlan: 'false' }, { suspend: null, suspendDetails: {} }])
      assert.deepEqual(actionOf(individual, action), { type: 'notify' });
  });

  const suspends = { type: 'suspend', fromAccounts: [A], suspension: { duration: 30, withBilling: true } };
  const cases: Record<string, [object, object, object]> = {
    'suspends if the flag is set, as text too': [individual, { ...suspend, suspend: 'True' }, suspends],
    'may have the duration as a number': [
      individual,
      { suspend: true, suspendDetails: { ...suspendDetails, suspendDuration: 90 } },
      { suspension: { duration: 90 } },
    ],
    'may suspend until the next bill cycle, without billing, in any letter case': [
      individual,
      {
        suspend: true,
        suspendDetails: { suspendDuration: 'nextbillcycle', suspendOption: 'withoutBilling' },
      },
      { suspension: { duration: 'NextBillCycle', withBilling: false } },
    ],
    'suspends in all watched accounts when none is named': [
      individual,
      { suspend: true, suspendDetails: { ...suspendDetails, suspendFromAccounts: undefined } },
      { fromAccounts: [A, B] },
    ],
    'of account level has a threshold of its own': [
      accountLevel,
      { suspend: true, suspendDetails: { ...suspendDetails, threshold: 1, thresholdUnit: 'GB' } },
      { ...suspends, threshold: { value: 1, unit: 'GB', bytes: 1024 ** 3 } },
    ],
    'suspends on the allowance': [allowance, suspend, suspends],
    'suspends by age': [aging, { ...suspend, agingDetails: { onNumberOfBillCycle: 1 } }, suspends],
    'changes the plan': [individual, change, { type: 'changePlan', toCarrierServicePlanCode: 'Q' }],
    'changes the plan by age': [
      aging,
      { changePlan: true, agingDetails: { onNumberOfBillCycle: 1, toCarrierServicePlanCode: 'R' } },
      { type: 'changePlan', toCarrierServicePlanCode: 'R' },
    ],
  };
  // proves 2.2.1-action/* 8/suspendDuration
  for (const [name, [condition, action, expected]] of Object.entries(cases))
    it(name, () => assert.partialDeepStrictEqual(actionOf(condition, action), expected));

  it('has a threshold of its own only at account level', () => {
    const details = { ...suspendDetails, threshold: 1, thresholdUnit: 'GB' };
    const action = actionOf(individual, { suspend: true, suspendDetails: details });
    assert.ok(action.type === 'suspend' && action.threshold === undefined);
  });

  const withDetails = (details: object) => ({
    suspend: true,
    suspendDetails: { ...suspendDetails, ...details },
  });
  const FROM = 'action/suspendDetails/suspendFromAccounts';
  const refused: Record<string, [object, object, string]> = {
    'that suspends and changes the plan': [individual, { ...suspend, ...change }, 'action/changePlan'],
    'that suspends without details': [individual, { suspend: true }, 'action/suspendDetails'],
    'that suspends from no account': [individual, withDetails({ suspendFromAccounts: [] }), FROM],
    'that suspends from accounts that are null': [
      individual,
      withDetails({ suspendFromAccounts: null }),
      FROM,
    ],
    'that suspends from an account it does not watch': [
      individual,
      withDetails({ suspendFromAccounts: [A, '0000123456-00003'] }),
      'action/suspendDetails/suspendFromAccounts',
    ],
    'that suspends for no time': [
      individual,
      withDetails({ suspendDuration: null }),
      'action/suspendDetails/suspendDuration',
    ],
    'that suspends for another time': [
      individual,
      withDetails({ suspendDuration: 45 }),
      'action/suspendDetails/suspendDuration',
    ],
    'without a billing option': [
      individual,
      withDetails({ suspendOption: '' }),
      'action/suspendDetails/suspendOption',
    ],
    'of account level that suspends without a threshold': [
      accountLevel,
      withDetails({ thresholdUnit: 'GB' }),
      'action/suspendDetails/threshold',
    ],
    'of account level that suspends at a threshold without unit': [
      accountLevel,
      withDetails({ threshold: 1 }),
      'action/suspendDetails/thresholdUnit',
    ],
    'that changes the plan without details': [individual, { changePlan: true }, 'action/changePlanDetails'],
    'that changes the plan to none': [
      individual,
      { changePlan: true, changePlanDetails: {} },
      'action/changePlanDetails/toCarrierServicePlanCode',
    ],
    'that changes the plan to the same': [
      individual,
      { changePlan: true, changePlanDetails: { toCarrierServicePlanCode: 'P' } },
      'action/changePlanDetails/toCarrierServicePlanCode',
    ],
    'of account level that changes the plan': [accountLevel, change, 'action/changePlan'],
    'on the allowance that changes the plan': [allowance, change, 'action/changePlan'],
    'by age that changes the plan to none': [
      aging,
      { changePlan: true, agingDetails: { onNumberOfBillCycle: 1 } },
      'action/agingDetails/toCarrierServicePlanCode',
    ],
    'that is neither true nor false': [individual, { suspend: 1 }, 'action/suspend'],
  };
  for (const [name, [condition, action, path]] of Object.entries(refused))
    it(`is refused ${name}`, () => assert.deepEqual(pathsOf(condition, action), [path]));
});
