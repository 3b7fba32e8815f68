import fc from 'fast-check';
import type { Schema } from './document.ts';
import { poolOf, reference } from './known.ts';

/** Around the world's current time, so that generated dates are sometimes in force. */
const DATES = { min: new Date('2025-06-01'), max: new Date('2026-06-01'), noInvalidDate: true } as const;
const dates = fc.date(DATES);
const LIST_MAX = 4;
const TEXT_MAX = 40;

/** The value learnt last comes first, because a request can most likely use it. */
const refersTo = (pool: string) =>
  fc.oneof(fc.constant(0), fc.nat(11)).map((index) => reference(pool, index));

/** Cached, because a pattern is used in many places and is slow to parse. */
const matching = new Map<string, fc.Arbitrary<string>>();
function textMatching(pattern: string): fc.Arbitrary<string> {
  const made = matching.get(pattern) ?? fc.stringMatching(new RegExp(pattern));
  matching.set(pattern, made);
  return made;
}

function text({ format, pattern, minLength = 0, maxLength = TEXT_MAX }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time') return dates.map((date) => date.toISOString());
  if (format === 'date') return dates.map((date) => date.toISOString().slice(0, 10));
  if (pattern !== undefined && pattern !== '\\S') return textMatching(pattern);
  const length = { minLength: Math.max(minLength, pattern === undefined ? 0 : 1) };
  return fc.string({ ...length, maxLength: Math.max(length.minLength, Math.min(maxLength, TEXT_MAX)) });
}

/** How most bodies name a device: a value and its kind, which must match. */
const namedDevice = fc
  .tuple(fc.constantFrom('imei', 'iccid', 'mdn', 'IMEI'), fc.nat(11))
  .map(([kind, index]) => ({ id: reference(kind.toLowerCase(), index), kind }));

/** A body without one is almost always refused, and the checks after that are not reached. */
const isAccount = (name: string) => poolOf(name) === 'account';

function object({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, valid(schema, name)]),
  );
  const needed = [...new Set([...required, ...Object.keys(members).filter(isAccount)])];
  const sparse = Object.fromEntries(needed.map((name) => [name, members[name]!]));
  const made = fc.oneof(
    fc.record(sparse),
    fc.record(members, { requiredKeys: needed }),
    fc.record(members, { requiredKeys: [] }),
  );
  const isNamedDevice = 'id' in properties && 'kind' in properties;
  if (isNamedDevice) return fc.oneof(namedDevice, fc.tuple(made, namedDevice).map(merge), made);
  if (typeof additionalProperties === 'object')
    return fc
      .tuple(made, fc.dictionary(fc.string({ maxLength: 10 }), valid(additionalProperties), { maxKeys: 3 }))
      .map(merge);
  if (additionalProperties === true && Object.keys(members).length === 0)
    return fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  return made;
}

const merge = ([one, other]: readonly [object, object]) => ({ ...one, ...other });

function plain(schema: Schema, name: string): fc.Arbitrary<unknown> {
  const { minimum = -1_000, maximum = 10_000, minItems = 0, maxItems = LIST_MAX } = schema;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valid(one, name)));
  const { type } = schema;
  if (typeof type === 'object') return fc.oneof(...type.map((one) => valid({ ...schema, type: one }, name)));
  switch (type) {
    case 'string':
      return text(schema);
    case 'integer':
      return fc.integer({ min: minimum, max: Math.max(minimum, maximum) });
    case 'number':
      return fc.double({ min: minimum, max: Math.max(minimum, maximum), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valid(schema.items ?? {}, name), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, LIST_MAX)),
      });
    case 'object':
      return object(schema);
    default:
      return fc.oneof(fc.string({ maxLength: TEXT_MAX }), fc.integer(), fc.boolean());
  }
}

/** Values that satisfy the schema; most references name something that exists. */
export function valid(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const pool = poolOf(name);
  const takesText = schema.type === 'string' || (schema.type === undefined && !schema.enum && !schema.anyOf);
  if (pool === undefined || !takesText) return plain(schema, name);
  return fc.oneof({ weight: 12, arbitrary: refersTo(pool) }, { weight: 1, arbitrary: plain(schema, name) });
}
