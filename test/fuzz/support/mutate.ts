import fc from 'fast-check';
import { hostileKey, hostileValue } from './hostile.ts';

type Path = readonly (string | number)[];

interface Mutation {
  readonly how: 'delete' | 'replace' | 'null' | 'extra' | 'wrap' | 'repeat';
  readonly at: number;
  readonly key: string;
  readonly value: unknown;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  how: fc.constantFrom('delete', 'replace', 'replace', 'replace', 'null', 'extra', 'wrap', 'repeat'),
  at: fc.nat(200),
  key: hostileKey,
  value: hostileValue,
});

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, member]) =>
    pathsIn(member, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [path, ...inner];
}

function edit(value: unknown, path: Path, change: (old: unknown) => unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return change(value);
  if (Array.isArray(value))
    return value.flatMap((member, index) => (index === first ? kept(edit(member, rest, change)) : [member]));
  const entries = Object.entries(value as object).flatMap(([key, member]) =>
    key === first ? kept(edit(member, rest, change)).map((changed) => [key, changed]) : [[key, member]],
  );
  return Object.fromEntries(entries);
}

const DELETED = Symbol('deleted');
const kept = (value: unknown): unknown[] => (value === DELETED ? [] : [value]);

function mutate(value: unknown, { how, at, key, value: other }: Mutation): unknown {
  const paths = pathsIn(value);
  const path = paths[at % paths.length]!;
  const changed = edit(value, path, (old) => {
    if (how === 'delete') return DELETED;
    if (how === 'null') return null;
    if (how === 'wrap') return [old];
    if (how === 'repeat') return Array.isArray(old) ? [...old, ...old] : [old, old];
    if (how === 'extra' && typeof old === 'object' && old !== null && !Array.isArray(old))
      return Object.fromEntries([...Object.entries(old), [key, other]]);
    return other;
  });
  return changed === DELETED ? {} : changed;
}

/** Near misses: one to three changes anywhere in a valid value. */
export const nearMiss = (base: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(base, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([value, mutations]) => mutations.reduce(mutate, value));
