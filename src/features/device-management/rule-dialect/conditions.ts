import { fail, isObject, type Json, parsePath, valueFinder } from './chain.ts';
import { hasChanged, OPERATORS } from './operators.ts';
import type { Condition } from './rule.ts';

/** The small form starts with a field or a group; anything else is parsed as JsonLogic, which has its own `not`. */
export const isSmallForm = (chain: unknown): chain is Json =>
  isObject(chain) &&
  ('field' in chain || 'all' in chain || 'any' in chain || ('not' in chain && isSmallForm(chain['not'])));

const boolean = (operator: string, value: unknown): boolean =>
  typeof value === 'boolean' ? value : fail(`${operator} needs true or false as its value`);

function parseLeaf({ field, operator: named, value, ...rest }: Json, margin: number): Condition {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) fail(`${unknown} is not a member of a condition`);
  if (typeof named !== 'string') return fail('a condition needs an operator');
  const operator = named.toLowerCase();
  const find = valueFinder(parsePath(field));
  if (operator === 'exists') {
    const wanted = boolean(operator, value ?? true);
    return ({ values }) => (find(values) !== undefined) === wanted;
  }
  if (operator === 'changed') {
    const wanted = boolean(operator, value ?? true);
    return ({ values, before }) => {
      const [known, old] = [find(values), find(before)];
      return known === undefined || old === undefined ? undefined : hasChanged(known, old) === wanted;
    };
  }
  const make = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  if (make === undefined) return fail(`${named} is not an operator`);
  const compare = make(value, margin);
  return ({ values }) => {
    const known = find(values);
    return known === undefined ? undefined : compare(known);
  };
}

/** An unknown part does not matter if another part decides. */
const allOf =
  (parts: readonly Condition[]): Condition =>
  (facts) => {
    let unsure = false;
    for (const part of parts) {
      const holds = part(facts);
      if (holds === false) return false;
      if (holds === undefined) unsure = true;
    }
    return unsure ? undefined : true;
  };

export const negated =
  (part: Condition): Condition =>
  (facts) => {
    const holds = part(facts);
    return holds === undefined ? undefined : !holds;
  };

const anyOf = (parts: readonly Condition[]): Condition => negated(allOf(parts.map(negated)));

/** Parses the small form; the margin loosens its comparisons, and tightens them below a `not`. */
export function parseConditions(chain: unknown, margin: number): Condition {
  if (!isSmallForm(chain)) return fail('a condition is an object with field, all, any or not');
  if ('field' in chain) return parseLeaf(chain, margin);
  const [group, other] = Object.keys(chain) as [string, ...string[]];
  if (other !== undefined) return fail(`${group} and ${other} cannot be in one condition`);
  const inner = chain[group];
  if (group === 'not') return negated(parseConditions(inner, margin === 0 ? 0 : -margin));
  if (!Array.isArray(inner) || inner.length === 0) return fail(`${group} needs a list of conditions`);
  const parts = inner.map((part) => parseConditions(part, margin));
  return group === 'all' ? allOf(parts) : anyOf(parts);
}
