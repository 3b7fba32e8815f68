import { FORM, type Operation } from './document.ts';
import { poolOf, reference } from './known.ts';
import { PATHS, QUERIES } from './places.ts';
import { asForm, asJson, encode, type MadeUp } from './request.ts';
import { SAMPLES } from './samples.ts';

/** The first of what exists, which most references mean. */
const first = (name: string): string => reference(poolOf(name) ?? name, 0);

/** One request that must succeed: nothing of it is made up, so that it does not take luck to get past every check. */
export function rightRequestTo({ id, path, parameters, isForm }: Operation): MadeUp {
  const asked = parameters
    .filter(({ in: place, required }) => place === 'query' && required === true)
    .map(({ name }) => `${encodeURIComponent(name)}=${encode(QUERIES[id]?.[name] ?? first(name))}`);
  const [body] = SAMPLES[id] ?? [];
  const write = isForm ? asForm : asJson;
  return {
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(PATHS[id]?.[name] ?? first(name))),
    query: asked.length === 0 ? '' : `?${asked.join('&')}`,
    headers: body === undefined ? {} : { 'content-type': isForm ? FORM : 'application/json' },
    body: body === undefined ? undefined : write(body),
  };
}
