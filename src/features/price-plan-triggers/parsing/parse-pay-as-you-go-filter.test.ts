import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRule } from './parse-rule.ts';

const A = '0000123456-00001';
const B = '0000123456-00002';
const filterCriteria = { carrierServicePlanCode: 'P', accountNameList: [A, B] };
const individual = { conditionType: 'Individual', comparator: 'gt', threshold: 5 };

const parse = (filter: object, condition: object = individual) =>
  parseRule({ payAsYouGo: { filterCriteria: filter, condition, action: {} } });
const pathsOf = (...given: Parameters<typeof parse>) =>
  parse(...given).problems?.map(({ path }) => path.replace('/pricePlanTrigger/payAsYouGo/', ''));

describe('the filter of a pay-as-you-go trigger', () => {
  // proves 2.2.1/filterCriteria
  it('names a plan and accounts, each once', () => {
    const { value } = parse({ carrierServicePlanCode: 'P', accountNameList: [B, A, B] });
    assert.ok(value?.kind === 'payAsYouGo');
    assert.deepEqual([value.carrierServicePlanCode, value.accountNames], ['P', [B, A]]);
  });

  const refused: Record<string, [object, string]> = {
    'without plan': [{ accountNameList: [A] }, 'filterCriteria/carrierServicePlanCode'],
    'with a plan code that is too long': [
      { ...filterCriteria, carrierServicePlanCode: 'x'.repeat(65) },
      'filterCriteria/carrierServicePlanCode',
    ],
    'without accounts': [{ carrierServicePlanCode: 'P' }, 'filterCriteria/accountNameList'],
    'with an empty list of accounts': [
      { ...filterCriteria, accountNameList: [] },
      'filterCriteria/accountNameList',
    ],
    'with more accounts than can be': [
      { ...filterCriteria, accountNameList: Array(10_001).fill(A) },
      'filterCriteria/accountNameList',
    ],
    'with what is no account name': [
      { ...filterCriteria, accountNameList: [A, 'abc'] },
      'filterCriteria/accountNameList/1',
    ],
  };
  for (const [name, [filter, path]] of Object.entries(refused))
    it(`is refused ${name}`, () => assert.deepEqual(pathsOf(filter), [path]));

  it('is reported together with problems elsewhere', () =>
    assert.deepEqual(pathsOf({ accountNameList: [A] }, { comparator: 'gt' }), [
      'filterCriteria/carrierServicePlanCode',
      'condition/threshold',
    ]));
});
