import type { Outcome, Row } from './outcome.ts';

export interface Difference {
  readonly list: keyof Outcome | 'backtests';
  readonly expected: readonly Row[];
  readonly actual: readonly Row[];
}

/** The same text for equal rows, whatever the order of their fields. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).sort().join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null);
  const fields = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${textOf(one)}`);
  return `{${fields.sort().join(',')}}`;
}

/** Rows that only the first list has, or has more often. */
export function without(list: readonly Row[], others: readonly Row[]): readonly Row[] {
  const left = new Map<string, number>();
  for (const row of others) left.set(textOf(row), (left.get(textOf(row)) ?? 0) + 1);
  return list.filter((row) => {
    const count = left.get(textOf(row)) ?? 0;
    left.set(textOf(row), count - 1);
    return count <= 0;
  });
}

export const differencesOf = (expected: Outcome, actual: Outcome): readonly Difference[] =>
  (Object.keys(expected) as (keyof Outcome)[])
    .map((list) => ({
      list,
      expected: without(expected[list], actual[list]),
      actual: without(actual[list], expected[list]),
    }))
    .filter((difference) => difference.expected.length + difference.actual.length > 0);
