import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  fromChain,
  NEW_DRAFT,
  type RuleDraft,
  sayRule,
  toChain,
} from '../../clients/console/src/pages/records/rule-draft.ts';
import { OPERATORS, sayCompared } from '../../clients/console/src/text/comparison.ts';
import { parseRule } from '../../src/features/device-management/rule-dialect/parse-rule.ts';

const VALUES: Readonly<Record<string, string>> = {
  between: '20, 30',
  in: 'on, "7", auto',
  changed: '',
  exists: '',
};
const of = (change: Partial<RuleDraft>): RuleDraft => ({ ...NEW_DRAFT, ...change });

describe('the form of a rule', () => {
  it('makes chains that the service evaluates, with every operator, and reads them back as they were', () => {
    for (const operator of Object.keys(OPERATORS) as (keyof typeof OPERATORS)[]) {
      const row = { field: 'fan.speed', operator, value: VALUES[operator] ?? '30' };
      for (const draft of [
        of({ rows: [row] }),
        of({ match: 'any', rows: [row, row], minutes: '10', message: 'Too fast' }),
      ]) {
        const chain = toChain(draft);
        const read = parseRule('json', chain);
        assert.ok(read.evaluable, JSON.stringify(chain));
        assert.deepEqual(fromChain(chain), draft);
      }
    }
  });

  it('takes numbers, true and false for what they are, and what stands in quotes for text', () => {
    const parsed = (value: string) =>
      (toChain(of({ rows: [{ field: 'a', operator: 'eq', value }] })) as { value: unknown }).value;
    assert.deepEqual(['30', '-1.5', 'true', '"30"', 'open', '1e3'].map(parsed), [
      30,
      -1.5,
      true,
      '30',
      'open',
      '1e3',
    ]);
  });

  it('leaves alone what it cannot show whole', () => {
    const leaf = { field: 'a', operator: 'gt', value: 1 };
    for (const chain of [
      { '>': [{ var: 'a' }, 1] },
      { when: leaf, hysteresis: 2 },
      { when: leaf, for: 'PT1H30M' },
      { all: [leaf, { any: [leaf] }] },
      { not: leaf },
      { absent: 'PT6H' },
      { field: 'a', operator: 'eq', value: null },
      [],
    ])
      assert.equal(fromChain(chain), undefined, JSON.stringify(chain));
  });

  it('reads as a sentence', () => {
    const rows = [
      { field: 'temperature', operator: 'gt', value: '30' },
      { field: 'door', operator: 'changed', value: '' },
    ] as const;
    assert.equal(
      sayRule(of({ rows, minutes: '10' })),
      'Raises an alert when temperature is above 30 and door has changed for 10 minutes.',
    );
  });

  it('says what was compared, also where nothing is known', () => {
    assert.equal(sayCompared({ field: 't', operator: 'gt', limit: 30, value: 34 }), 't 34 (is above 30)');
    assert.equal(sayCompared({ field: 't', operator: 'gt', limit: 30 }), 't not reported (is above 30)');
    assert.equal(sayCompared({ field: 't', value: { a: 1 } }), 't {"a":1}');
  });
});
