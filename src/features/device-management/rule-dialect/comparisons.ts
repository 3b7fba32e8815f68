import { isObject, valueFinder } from './chain.ts';
import { isSmallForm } from './conditions.ts';
import type { Compared, Comparison, Values } from './rule.ts';

/** More than anyone reads in an alert. */
const COMPARISONS_MAX = 16;

function* fieldsOf(logic: unknown): Generator<Comparison> {
  if (Array.isArray(logic)) for (const part of logic) yield* fieldsOf(part);
  if (!isObject(logic)) return;
  for (const [operator, argument] of Object.entries(logic)) {
    if (operator === 'var') yield { field: String(Array.isArray(argument) ? argument[0] : argument) };
    yield* fieldsOf(argument);
  }
}

function* leavesOf(condition: unknown): Generator<Comparison> {
  if (!isSmallForm(condition)) return;
  const { field, operator, value, ...groups } = condition;
  if (field !== undefined)
    yield {
      field: String(field),
      operator: String(operator).toLowerCase(),
      ...(value !== undefined && { limit: value }),
    };
  else for (const part of Object.values(groups).flat()) yield* leavesOf(part);
}

/** The comparisons of a parsed condition, in its order and each once. */
export function comparisonsOf(condition: unknown): readonly Comparison[] {
  const found = new Map<string, Comparison>();
  for (const one of isSmallForm(condition) ? leavesOf(condition) : fieldsOf(condition)) {
    found.set(JSON.stringify(one), one);
    if (found.size === COMPARISONS_MAX) break;
  }
  return [...found.values()];
}

export const compareWith = (comparisons: readonly Comparison[], values: Values): readonly Compared[] =>
  comparisons.map((one) => {
    const value = valueFinder(one.field)(values);
    return value === undefined ? one : { ...one, value };
  });
