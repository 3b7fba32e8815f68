import { isDeepStrictEqual } from 'node:util';
import { fail } from './chain.ts';

/** Compares a known value; undefined if the two cannot be compared. */
type Compare = (value: unknown) => boolean | undefined;

type Scalar = string | number | boolean | null;
const isScalar = (value: unknown): value is Scalar => value === null || typeof value !== 'object';

const inOrder =
  <T extends number | string>(limit: T, test: (value: T, limit: T) => boolean): Compare =>
  (value) =>
    typeof value === typeof limit ? test(value as T, limit) : undefined;

/** Texts are compared letter by letter, which also orders times in UTC; only numbers have a margin. */
function limitOf(operator: string, value: unknown, margin: number): number | string {
  if (typeof value === 'number') return value + margin;
  if (typeof value === 'string') return value;
  return fail(`${operator} compares with a number or a text`);
}

function listOf(operator: string, value: unknown, length?: number): readonly unknown[] {
  if (!Array.isArray(value) || (length !== undefined && value.length !== length))
    return fail(`${operator} needs a list of ${length ?? 'values'}`);
  return value;
}

function scalarOf(operator: string, value: unknown): Scalar {
  return value !== undefined && isScalar(value)
    ? value
    : fail(`${operator} needs a value other than a list or an object`);
}

function between(value: unknown, margin: number): Compare {
  const [from, to] = listOf('between', value, 2);
  if (typeof from !== typeof to) fail('between needs two limits of the same type');
  const low = limitOf('between', from, -margin);
  const high = limitOf('between', to, margin);
  return (known) => (typeof known === typeof low ? known! >= low && known! <= high : undefined);
}

/**
 * The comparison of an operator with a present value. The margin loosens it: with a margin of 2, "above 30" holds
 * above 28, which defines what still counts after the value was above 30.
 */
export const OPERATORS: Readonly<Record<string, (value: unknown, margin: number) => Compare>> = {
  eq: (value) => {
    const wanted = scalarOf('eq', value);
    return (known) => known === wanted;
  },
  ne: (value) => {
    const unwanted = scalarOf('ne', value);
    return (known) => known !== unwanted;
  },
  gt: (value, margin) => inOrder(limitOf('gt', value, -margin), (known, limit) => known > limit),
  ge: (value, margin) => inOrder(limitOf('ge', value, -margin), (known, limit) => known >= limit),
  lt: (value, margin) => inOrder(limitOf('lt', value, margin), (known, limit) => known < limit),
  le: (value, margin) => inOrder(limitOf('le', value, margin), (known, limit) => known <= limit),
  in: (value) => {
    const wanted = new Set(listOf('in', value).map((item) => scalarOf('in', item)));
    return (known) => isScalar(known) && wanted.has(known);
  },
  between,
};

export const hasChanged = (value: unknown, before: unknown): boolean => !isDeepStrictEqual(value, before);
