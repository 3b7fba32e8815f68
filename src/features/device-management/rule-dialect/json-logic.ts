import { LogicEngine } from 'json-logic-engine';
import { fail, isObject, parsePath } from './chain.ts';
import type { Condition } from './rule.ts';

/**
 * Operators whose work is bounded by the size of rule and reading. Excluded are operators that apply a rule to lists,
 * build longer texts, or reach outside the data.
 */
const OPERATORS = new Set(
  'var and or ! !! not if ?: == === != !== < <= > >= in + - * / % min max missing missing_some ??'.split(' '),
);
const IN_ORDER: Readonly<Record<string, (a: number | string, b: number | string) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

type Comparable = number | string;
const isComparable = (value: unknown): value is Comparable =>
  typeof value === 'number' || typeof value === 'string';

/** A missing field is null, and null sorts below every limit. A missing thermometer must not raise a cold alert. */
function compareInOrder(test: (a: Comparable, b: Comparable) => boolean) {
  return (args: unknown): boolean => {
    const [first, ...others] = Array.isArray(args) ? (args as unknown[]) : [args];
    let before = first;
    for (const value of others) {
      if (!isComparable(before) || !isComparable(value)) return false;
      const asTexts = typeof before === 'string' && typeof value === 'string';
      if (!(asTexts ? test(before, value) : test(Number(before), Number(value)))) return false;
      before = value;
    }
    return others.length > 0;
  };
}

/** Interpreted directly: no code is generated, and no plan of a rule is kept. */
const engine = new LogicEngine(undefined, { disableInline: true, disableInterpretedOptimization: true });
for (const [name, test] of Object.entries(IN_ORDER)) engine.addMethod(name, compareInOrder(test));

const pathsOf = (argument: unknown): readonly unknown[] => (Array.isArray(argument) ? argument : [argument]);

/** Field names must be constants: a computed name could be any name. */
function requireNamedFields(operator: string, argument: unknown): void {
  if (operator === 'var') {
    const [path, fallback, ...rest] = pathsOf(argument);
    parsePath(path);
    if (rest.length > 0) fail('var takes a field name and a default value');
    requireKnown(fallback);
  } else if (operator === 'missing') {
    for (const path of pathsOf(argument)) parsePath(path);
  } else {
    const [least, paths] = pathsOf(argument);
    if (typeof least !== 'number') fail('missing_some needs a number and a list of fields');
    for (const path of pathsOf(paths)) parsePath(path);
  }
}

function requireKnown(logic: unknown): void {
  if (Array.isArray(logic)) for (const part of logic) requireKnown(part);
  if (!isObject(logic)) return;
  const [operator, second] = Object.keys(logic);
  if (operator === undefined || second !== undefined) fail('an operation must be an object with one member');
  if (!OPERATORS.has(operator)) fail(`${operator} is not an operator that rules may use`);
  const argument = logic[operator];
  if (/^(var|missing)/.test(operator)) requireNamedFields(operator, argument);
  else requireKnown(argument);
}

/** Parses JsonLogic; an operation that its evaluation refuses, such as a sum of texts, has an unknown result. */
export function parseJsonLogic(logic: unknown): Condition {
  if (!isObject(logic)) return fail('JsonLogic must start with an operation');
  requireKnown(logic);
  return ({ values }) => {
    try {
      return Boolean(engine.truthy(engine.run(logic, values)));
    } catch {
      return undefined;
    }
  };
}
