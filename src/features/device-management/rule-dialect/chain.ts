import type { Values } from './rule.ts';

/** Limits of a rule, which bound the time of its evaluation before any reading arrives. */
const CHAIN_LIMITS = { nodes: 1_000, depth: 32, textLength: 1_000, keys: 64 } as const;

const BANNED = new Set(['__proto__', 'constructor', 'prototype']);

export const isBannedName = (name: string): boolean => BANNED.has(name);

/** Thrown while a chain is parsed; the message completes "The rule is not evaluated: …". */
export class NotEvaluable extends Error {}

export function fail(reason: string): never {
  throw new NotEvaluable(reason);
}

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws if a chain exceeds the limits. It avoids recursion, because depth is one of the limits. */
export function requireModest(chain: unknown): void {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: chain, depth: 1 }];
  let nodes = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (++nodes > CHAIN_LIMITS.nodes) fail(`it has more than ${CHAIN_LIMITS.nodes} parts`);
    if (depth > CHAIN_LIMITS.depth) fail(`it has more than ${CHAIN_LIMITS.depth} levels`);
    if (typeof value === 'string' && value.length > CHAIN_LIMITS.textLength)
      fail(`a text has more than ${CHAIN_LIMITS.textLength} characters`);
    if (Array.isArray(value)) {
      if (value.length > CHAIN_LIMITS.nodes) fail(`it has more than ${CHAIN_LIMITS.nodes} parts`);
      for (const item of value) open.push({ value: item, depth: depth + 1 });
    } else if (isObject(value)) {
      const names = Object.keys(value);
      if (names.length > CHAIN_LIMITS.keys) fail(`an object has more than ${CHAIN_LIMITS.keys} members`);
      const banned = names.find(isBannedName);
      if (banned !== undefined) fail(`${banned} is not a name that rules may use`);
      for (const name of names) open.push({ value: value[name], depth: depth + 1 });
    }
  }
}

const PATH_MAX = 200;

/** The name of a field; dots lead into objects. */
export function parsePath(path: unknown): string {
  if (typeof path !== 'string' || path === '') return fail('a field name must be a text');
  if (path.length > PATH_MAX) return fail(`the name of a field has more than ${PATH_MAX} characters`);
  const banned = path.split('.').find(isBannedName);
  return banned === undefined ? path : fail(`${banned} is not a name that rules may use`);
}

type FindValue = (values: Values) => unknown;

/** Own members only: members that every object inherits are not fields of a reading. */
export function valueFinder(path: string): FindValue {
  if (!path.includes('.')) return (values) => (Object.hasOwn(values, path) ? values[path] : undefined);
  const names = path.split('.');
  return (values) => {
    if (Object.hasOwn(values, path)) return values[path];
    let at: unknown = values;
    for (const name of names) {
      if (!isObject(at) || !Object.hasOwn(at, name)) return undefined;
      at = at[name];
    }
    return at;
  };
}
