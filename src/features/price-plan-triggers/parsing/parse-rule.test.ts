import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRule } from './parse-rule.ts';

describe('a price plan trigger', () => {
  const payAsYouGo = {
    filterCriteria: { carrierServicePlanCode: 'P', accountNameList: ['0000123456-00001'] },
    condition: { comparator: 'gt', threshold: 5 },
    action: {},
  };
  const refused: Record<string, [unknown, string]> = {
    'that is no object': ['payAsYouGo', ''],
    'with no kind': [{}, ''],
    'with two kinds': [{ payAsYouGo, accountGroupShare: {} }, ''],
    'of an unknown kind': [{ standAlone: payAsYouGo }, ''],
    'without a filter': [
      { payAsYouGo: { ...payAsYouGo, filterCriteria: null } },
      '/payAsYouGo/filterCriteria',
    ],
    'without a condition': [{ payAsYouGo: { ...payAsYouGo, condition: undefined } }, '/payAsYouGo/condition'],
    'without an action': [{ payAsYouGo: { ...payAsYouGo, action: 'suspend' } }, '/payAsYouGo/action'],
  };
  // proves 2.2/pricePlanTrigger 2.2.1/filterCriteria 2.2.1/condition 2.2.1/action
  for (const [name, [given, path]] of Object.entries(refused))
    it(`is refused ${name}`, () =>
      assert.equal(parseRule(given).problems?.[0]?.path, `/pricePlanTrigger${path}`));

  it('may have null for the other kind, and unknown fields', () =>
    assert.ok(
      parseRule({ payAsYouGo: { ...payAsYouGo, more: 1 }, accountGroupShare: null, more: {} }).value,
    ));

  it('takes nothing from the prototype of the body', () => {
    const sent = JSON.parse(`{"__proto__": ${JSON.stringify({ payAsYouGo })}}`);
    assert.equal(parseRule(sent).problems?.[0]?.path, '/pricePlanTrigger');
    assert.equal(parseRule(Object.create({ payAsYouGo })).problems?.[0]?.path, '/pricePlanTrigger');
  });
});
