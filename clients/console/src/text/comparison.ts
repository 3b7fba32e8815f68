/** The words for each operator of a rule. */
export const OPERATORS = {
  gt: 'is above',
  ge: 'is at least',
  lt: 'is below',
  le: 'is at most',
  eq: 'is',
  ne: 'is not',
  between: 'is between',
  in: 'is one of',
  changed: 'has changed',
  exists: 'was reported',
} as const;
export type Operator = keyof typeof OPERATORS;
export const isOperator = (name: string): name is Operator => Object.hasOwn(OPERATORS, name);

export interface Compared {
  readonly field: string;
  readonly operator?: string;
  readonly limit?: unknown;
  readonly value?: unknown;
}

const show = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(show).join(', ')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

/** "temperature 34 (is above 30)". */
export function sayCompared({ field, operator = '', limit, value }: Compared): string {
  const known = value === undefined ? `${field} not reported` : `${field} ${show(value)}`;
  if (!isOperator(operator)) return known;
  return `${known} (${OPERATORS[operator]}${limit === undefined ? '' : ` ${show(limit)}`})`;
}
