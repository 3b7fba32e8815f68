import { fail, isBannedName, isObject } from './chain.ts';
import type { Values } from './rule.ts';

const PATH_MAX = 200;

/** The name of a field, with dots where it lies in an object. */
export function readPath(path: unknown): string {
  if (typeof path !== 'string' || path === '') return fail('a field is named by a text');
  if (path.length > PATH_MAX) return fail(`the name of a field has more than ${PATH_MAX} characters`);
  const banned = path.split('.').find(isBannedName);
  return banned === undefined ? path : fail(`${banned} is no name that a rule may use`);
}

export type FindValue = (values: Values) => unknown;

/** Own members only: what every object has is no field of a reading. */
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
