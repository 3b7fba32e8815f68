import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { describeEvaluation, parseRule } from './parse-rule.ts';
import type { EvaluableRule, Values } from './rule.ts';

const read = (rulechain: unknown): EvaluableRule => {
  const rule = parseRule('json', rulechain);
  assert.ok(rule.evaluable, rule.evaluable ? '' : rule.reason);
  return rule;
};
const inert = (rulechain: unknown, rulesyntax: unknown = 'json'): string => {
  const rule = parseRule(rulesyntax, rulechain);
  return rule.evaluable ? 'is evaluated' : rule.reason;
};
const holds = (chain: unknown, values: Values, before: Values = {}) => read(chain).when!({ values, before });
const leaf = (operator: string, value?: unknown) => ({ field: 't', operator, value });
const nested = (levels: number): unknown =>
  JSON.parse(`${'{"not":'.repeat(levels)}{"field":"t","operator":"exists"}${'}'.repeat(levels)}`);

describe('conditions on fields', () => {
  it('compare numbers, texts and truth values, in any letter case of the operator', () => {
    const table: [string, unknown, unknown, boolean][] = [
      ['eq', 5, 5, true],
      ['EQ', 'a', 'b', false],
      ['ne', 5, 6, true],
      ['gt', 5, 5, false],
      ['ge', 5, 5, true],
      ['lt', 5, 4.9, true],
      ['le', '2026-01-02', '2026-01-01', true],
      ['in', [1, 'x', null], 'x', true],
      ['in', [1, 'x'], {}, false],
      ['between', [1, 3], 3, true],
      ['between', [1, 3], 3.1, false],
      ['exists', undefined, null, true],
    ];
    for (const [operator, value, t, expected] of table)
      assert.equal(holds(leaf(operator, value), { t }), expected, `${operator} ${value} ${t}`);
  });

  it('are unknown for values that are missing or of another type, unless the other parts decide', () => {
    const cold = leaf('lt', 5);
    const wet = { field: 'air.humidity', operator: 'gt', value: 80 };
    assert.equal(holds(cold, {}), undefined);
    assert.equal(holds(cold, { t: '4' }), undefined);
    assert.equal(holds({ any: [cold, wet] }, { air: { humidity: 90 } }), true);
    assert.equal(holds({ all: [cold, wet] }, { air: { humidity: 10 } }), false);
    assert.equal(holds({ all: [cold, wet] }, { air: { humidity: 90 } }), undefined);
    assert.equal(holds({ not: cold }, {}), undefined);
    assert.equal(holds(leaf('exists', false), {}), true);
  });

  it('compare with the value known before, and find no change in a first reading', () => {
    assert.equal(holds(leaf('changed'), { t: 1 }, { t: 2 }), true);
    assert.equal(holds(leaf('changed'), { t: { a: [1] } }, { t: { a: [1] } }), false);
    assert.equal(holds(leaf('changed'), { t: 1 }), undefined);
  });

  it('clear beyond a margin, also below a not, or when another condition says so', () => {
    const clears = (chain: object, t: number) => read(chain).clears!({ values: { t }, before: {} });
    const hot = { when: leaf('gt', 30), hysteresis: 2 };
    assert.deepEqual(
      [29, 28].map((t) => clears(hot, t)),
      [false, true],
    );
    const notCold = { when: { not: leaf('lt', 30) }, hysteresis: 2 };
    assert.deepEqual(
      [28, 27.9].map((t) => clears(notCold, t)),
      [false, true],
    );
    const outside = { when: leaf('between', [10, 20]), hysteresis: 1 };
    assert.deepEqual(
      [9, 21.5].map((t) => clears(outside, t)),
      [false, true],
    );
    const withClear = { when: leaf('gt', 30), clearWhen: { '<': [{ var: 't' }, 20] } };
    assert.deepEqual(
      [25, 19].map((t) => clears(withClear, t)),
      [false, true],
    );
  });
});

describe('JsonLogic', () => {
  it('is evaluated over the known fields', () => {
    const rule = { and: [{ '>': [{ var: 'air.t' }, 30] }, { in: [{ var: 'mode' }, ['on', 'auto']] }] };
    assert.equal(holds(rule, { air: { t: 31 }, mode: 'auto' }), true);
    assert.equal(holds(rule, { air: { t: 29 }, mode: 'auto' }), false);
    assert.equal(holds({ '<': [20, { var: 't' }, 30] }, { t: 25 }), true);
    assert.equal(holds({ missing: ['t'] }, {}), true);
    assert.equal(holds({ '==': [{ '%': [{ var: ['t', 4] }, 2] }, 0] }, {}), true);
  });

  it('may start with a not, as conditions on fields may', () => {
    assert.equal(read({ not: { '==': [{ var: 't' }, 1] } }).dialect, 'JsonLogic');
    assert.equal(holds({ not: [{ '==': [{ var: 't' }, 1] }] }, { t: 2 }), true);
    assert.equal(read({ not: { not: leaf('gt', 1) } }).dialect, 'conditions');
  });

  // proves rules/missing-fields
  it('never treats a missing field as low, and has no result for what it cannot compute', () => {
    assert.equal(holds({ '<': [{ var: 't' }, 5] }, {}), false);
    assert.equal(holds({ '>': [{ '+': [{ var: 't' }, 1] }, 5] }, { t: 'x' }), undefined);
  });

  it('is inert with operators that iterate over lists, build text, throw, or compute field names', () => {
    for (const chain of [
      { map: [[1], { var: '' }] },
      { reduce: [[1], 1, 0] },
      { some: [[1], true] },
      { cat: ['a', 'b'] },
      { throw: 'x' },
      { try: [1] },
      { method: ['a', 'b'] },
      { var: '' },
      { var: { var: 'a' } },
      { missing: { merge: [['a']] } },
      { '>': [{ var: 'a' }, 1], '<': [1, 2] },
      { constructorX: [] },
    ])
      assert.match(inert(chain), /not an operator|must be a text|one member/, JSON.stringify(chain));
  });
});

describe('a rule', () => {
  it('is parsed with the options next to its condition', () => {
    const rule = read({
      when: leaf('gt', 1),
      for: 'PT10M',
      coolDown: 'p1d',
      absent: 'PT1H',
      message: 'hot',
    });
    assert.deepEqual(
      [rule.forMs, rule.coolDownMs, rule.absentMs, rule.message],
      [600_000, 86_400_000, 3_600_000, 'hot'],
    );
    assert.equal(read({ absent: 'PT1H' }).when, undefined);
  });

  it('is inert in another syntax, and says why', () => {
    assert.match(inert({ absent: 'PT1H' }, 'camel'), /camel is stored only/);
    assert.match(inert({ absent: 'PT1H' }, null), /rulesyntax is missing/);
    assert.equal(inert({ absent: 'PT1H' }, 'JSON'), 'is evaluated');
    assert.match(inert({ if: [{ gt: 5.5 }] }), /gt is not an operator/);
    assert.deepEqual(describeEvaluation({ disabled: true, rulesyntax: 'json', rulechain: leaf('gt', 1) }), {
      active: false,
      reason: 'the rule is disabled',
    });
    assert.deepEqual(describeEvaluation({ rulesyntax: 'json', rulechain: { '!': [{ var: 'a' }] } }), {
      active: true,
      dialect: 'JsonLogic',
    });
  });

  it('is inert if the options next to the condition are wrong', () => {
    const when = leaf('gt', 1);
    const wrong: [object, RegExp][] = [
      [{ when, for: 'ten minutes' }, /not an ISO 8601/],
      [{ when, for: 'P1M' }, /weeks, days/],
      [{ when, for: 'P367D' }, /366/],
      [{ absent: 'PT0S' }, /longer than 0/],
      [{ when, hysteresis: -1 }, /0 or more/],
      [{ when: { '!': [1] }, hysteresis: 1 }, /clearWhen/],
      [{ when, hysteresis: 1, clearWhen: when }, /one rule/],
      [{ when, colour: 'red' }, /colour is not a member/],
      [{}, /empty/],
      [{ when: null }, /neither/],
      [{ all: [] }, /list of conditions/],
      [{ all: [when], any: [when] }, /one condition/],
      [leaf('toString', 1), /not an operator/],
      [leaf('matches', '(a+)+$'), /not an operator/],
      [{ ...when, unit: 'C' }, /unit is not a member/],
    ];
    for (const [chain, reason] of wrong) assert.match(inert(chain), reason, JSON.stringify(chain));
  });

  it('is inert beyond the limits, and with names that every object inherits', () => {
    assert.equal(inert(nested(20)), 'is evaluated');
    assert.match(inert(nested(1_000)), /levels/);
    assert.match(inert({ any: Array.from({ length: 600 }, () => leaf('gt', 1)) }), /1000 parts/);
    assert.match(inert(leaf('eq', 'x'.repeat(1_000_000))), /characters/);
    assert.match(
      inert(JSON.parse('{"any":[{"field":"t","operator":"eq","value":{"__proto__":1}}]}')),
      /__proto__/,
    );
    for (const path of ['__proto__.x', 'a.constructor', 'prototype'])
      for (const chain of [
        { '==': [{ var: path }, 1] },
        { field: path, operator: 'eq', value: 1 },
        { missing: [path] },
      ])
        assert.match(inert(chain), /may use/);
  });

  it('is parsed or refused whatever it is, and never throws when evaluated', () =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.jsonValue(), (chain, values) => {
        const rule = parseRule('json', chain);
        const known = typeof values === 'object' && values !== null && !Array.isArray(values) ? values : {};
        if (rule.evaluable) rule.when?.({ values: known, before: {} });
      }),
    ));
});
