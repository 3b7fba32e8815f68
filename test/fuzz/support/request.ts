import fc from 'fast-check';
import type { Operation } from './document.ts';
import { BEYOND_DOUBLE, brokenBody, brokenPiece, brokenQuery, hostileText } from './hostile.ts';
import { nearMiss } from './mutate.ts';
import { PATHS, QUERIES } from './places.ts';
import { SAMPLES } from './samples.ts';
import { valid } from './valid.ts';

/** A generated request, which still contains references. */
export interface MadeUp {
  /** Already encoded, or deliberately broken. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Buffer | undefined;
}

/** Encodes everything except references, whose characters need no encoding. */
export const encode = (text: string): string =>
  text
    .toWellFormed()
    .split(/([\ue000][^\ue001]*[\ue001])/)
    .map((piece) => (piece.startsWith('\ue000') ? piece : encodeURIComponent(piece)))
    .join('');

const piece = (value: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 20, arbitrary: value.map((made) => encode(String(made)) || '%20') },
    { weight: 1, arbitrary: hostileText.map((text) => encode(text.slice(0, 2_000)) || '%20') },
    { weight: 1, arbitrary: brokenPiece },
  );

/** Mostly the known value that passes more checks, if there is one. */
const knownOr = (known: string | undefined, made: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  known === undefined ? made : fc.oneof({ weight: 2, arbitrary: fc.constant(known) }, made);

function path({ id, path: pattern, parameters }: Operation): fc.Arbitrary<string> {
  const pieces = parameters.flatMap(({ in: place, name, schema }) =>
    place === 'path' ? [[name, piece(knownOr(PATHS[id]?.[name], valid(schema, name)))] as const] : [],
  );
  return fc
    .record(Object.fromEntries(pieces))
    .map((made) => pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => made[name] ?? name));
}

function query({ id, parameters }: Operation): fc.Arbitrary<string> {
  const named = parameters.filter(({ in: place }) => place === 'query');
  const pairs = named.map(({ name, schema, required }) => {
    const made = knownOr(QUERIES[id]?.[name], valid(schema, name));
    const pair = piece(made).map((value) => `${encodeURIComponent(name)}=${value}`);
    return required
      ? fc.oneof({ weight: 9, arbitrary: pair }, fc.constant(''))
      : fc.oneof(pair, fc.constant(''));
  });
  const broken = fc.oneof({ weight: 7, arbitrary: fc.constant('') }, brokenQuery);
  return fc.tuple(broken, ...pairs).map(([end, ...all]) => {
    const text = all.filter((pair) => pair !== '').join('&') + end;
    return text === '' ? '' : `?${text}`;
  });
}

const JSON_TYPES = ['application/json', 'application/json; charset=utf-8'];
const OTHER_TYPES = [
  'text/plain',
  '*/*',
  'x',
  'application/xml',
  'multipart/form-data; boundary=x',
  ';;',
  '',
];

/** Headers that a caller may send in addition to credentials. Most requests have only their content type. */
const headers = fc.record(
  {
    'content-type': fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...JSON_TYPES) },
      { weight: 1, arbitrary: fc.constantFrom(...OTHER_TYPES) },
    ),
    'idempotency-key': fc.oneof(fc.uuid(), fc.constantFrom('', 'a b', 'x'.repeat(300), 'same', '\u00ff')),
    'x-request-id': fc.constantFrom<string | string[]>('abc', '', 'x'.repeat(65), "a'b", ['a', 'b'], '../x'),
    'content-encoding': fc.constantFrom('gzip', 'identity', 'x'),
    accept: fc.constantFrom('text/html', '*/*', 'application/xml', ''),
    cookie: fc.constantFrom('linekeeper_session=x', '=', 'a=b; a=c', ';;;', '__proto__=1'),
    'x-forwarded-for': fc.constantFrom('127.0.0.1', "' or 1=1", '::ffff:1.2.3.4, x'),
    'x-http-method-override': fc.constantFrom('DELETE', 'GET'),
    'if-none-match': fc.constantFrom('*', '"x"'),
    range: fc.constantFrom('bytes=0-1', 'x'),
  },
  { requiredKeys: ['content-type'] },
);

const some = fc.oneof({ weight: 9, arbitrary: headers.map(onlyType) }, headers);
function onlyType(all: Partial<Record<string, string | string[]>>): Record<string, string | string[]> {
  return { 'content-type': all['content-type'] ?? 'application/json' };
}

export const asJson = (value: unknown): string =>
  (JSON.stringify(value) ?? '').replaceAll(`"${BEYOND_DOUBLE}"`, BEYOND_DOUBLE.slice(1));
export const asForm = (value: unknown): string =>
  Object.entries(Object(value))
    .map(([name, field]) => `${encode(name)}=${encode(typeof field === 'string' ? field : asJson(field))}`)
    .join('&');

function body(operation: Operation): fc.Arbitrary<string | Buffer | undefined> {
  const samples = SAMPLES[operation.id] ?? [];
  const bases = [
    ...(operation.body === undefined ? [] : [valid(operation.body)]),
    ...(samples.length === 0 ? [] : [fc.constantFrom(...samples)]),
  ];
  const none = fc.constant(undefined);
  if (bases.length === 0) return fc.oneof({ weight: 9, arbitrary: none }, brokenBody);
  const base = fc.oneof(...bases);
  const write = operation.isForm ? asForm : asJson;
  return fc.oneof(
    { weight: 8, arbitrary: base.map(write) },
    { weight: 9, arbitrary: nearMiss(base).map(write) },
    { weight: 2, arbitrary: brokenBody },
    { weight: 1, arbitrary: none },
  );
}

export const requestsTo = (operation: Operation): fc.Arbitrary<MadeUp> =>
  fc.record({
    path: path(operation),
    query: query(operation),
    headers: some as fc.Arbitrary<MadeUp['headers']>,
    body: body(operation),
  });
