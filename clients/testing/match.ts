/** Expected members of a value, at any depth. A string may be a pattern, and a list must contain all given entries. */
export type Part<T> = T extends string
  ? T | RegExp
  : T extends readonly (infer Item)[]
    ? readonly Part<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]?: Part<T[Name]> }
      : T;

export type Match<T> = Part<T> | ((one: T) => boolean);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function has(whole: unknown, part: unknown): boolean {
  if (part instanceof RegExp) return typeof whole === 'string' && whole.search(part) >= 0;
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((wanted) => whole.some((one) => has(one, wanted)));
  if (!isObject(part)) return Object.is(whole, part);
  if (!isObject(whole)) return false;
  return Object.entries(part).every(([name, wanted]) => has(whole[name], wanted));
}

export function matches<T>(match: Match<T> | undefined, one: T): boolean {
  if (match === undefined) return true;
  return typeof match === 'function' ? (match as (one: T) => boolean)(one) : has(one, match);
}

const SHOWN_MAX = 200;
export const shorten = (text: string): string =>
  text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}…`;

/** Text for messages: a pattern as written, a predicate as its source. */
export function describeMatch(match: unknown): string {
  if (typeof match === 'function') return shorten(String(match).replaceAll(/\s+/g, ' '));
  const patterns = (_: string, value: unknown) => (value instanceof RegExp ? String(value) : value);
  return shorten(JSON.stringify(match, patterns) ?? String(match));
}
