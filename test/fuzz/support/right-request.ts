import { FORM, type Operation } from './document.ts';
import { poolOf, reference } from './known.ts';
import { PATHS, type Pieces, QUERIES } from './places.ts';
import { asForm, asJson, encode, type MadeUp } from './request.ts';
import { SAMPLES } from './samples.ts';

/** The first of the existing values, which most references mean. */
const first = (name: string): string => reference(poolOf(name) ?? name, 0);

/** Path, query and body of a request that must succeed. */
export function rightValuesOf({ id, parameters }: Operation) {
  const valuesIn = (wanted: 'path' | 'query', given: Pieces = {}): Pieces =>
    Object.fromEntries(
      parameters
        .filter(({ in: place, name, required }) => place === wanted && (required === true || name in given))
        .map(({ name }) => [name, given[name] ?? first(name)]),
    );
  return {
    path: valuesIn('path', PATHS[id]),
    query: valuesIn('query', QUERIES[id]),
    body: SAMPLES[id]?.[0],
  };
}

/** One request that must succeed: nothing in it is random, so passing every check takes no luck. */
export function rightRequestTo(operation: Operation): MadeUp {
  const { path, query, body } = rightValuesOf(operation);
  const asked = Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${encode(value)}`);
  const write = operation.isForm ? asForm : asJson;
  return {
    path: operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(path[name] ?? name)),
    query: asked.length === 0 ? '' : `?${asked.join('&')}`,
    headers: body === undefined ? {} : { 'content-type': operation.isForm ? FORM : 'application/json' },
    body: body === undefined ? undefined : write(body),
  };
}
