/** A problem with a trigger. `path` is a JSON pointer into it. */
export interface Problem {
  readonly path: string;
  readonly detail: string;
}

export type Parsed<T> =
  | { readonly value: T; readonly problems?: never }
  | { readonly problems: readonly Problem[]; readonly value?: never };

/** A value as it was sent, with its location. */
export interface Place {
  readonly path: string;
  readonly value: unknown;
}

const PROBLEMS_MAX = 100;

class Unparsable extends Error {
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]) {
    super('unparsable');
    this.problems = problems;
  }
}

export function fail({ path }: Place, detail: string): never {
  throw new Unparsable([{ path, detail }]);
}

/** Parses all entries, so that all problems are reported at once. */
function parseEach<T>(parsers: readonly (() => T)[]): T[] {
  const problems: Problem[] = [];
  const values: T[] = [];
  for (const parse of parsers) {
    const { value, problems: found } = parsing(parse);
    if (found === undefined) values.push(value);
    else problems.push(...found);
    if (problems.length >= PROBLEMS_MAX) break;
  }
  if (problems.length > 0) throw new Unparsable(problems);
  return values;
}

/** Parses two independent parts. */
export function both<A, B>(parseA: () => A, parseB: () => B): [A, B] {
  const [a, b] = [parsing(parseA), parsing(parseB)];
  if (a.problems === undefined && b.problems === undefined) return [a.value, b.value];
  throw new Unparsable([...(a.problems ?? []), ...(b.problems ?? [])]);
}

export function parsing<T>(parse: () => T): Parsed<T> {
  try {
    return { value: parse() };
  } catch (error) {
    if (error instanceof Unparsable) return { problems: error.problems };
    throw error;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const at = ({ path, value }: Place, name: string): Place => ({
  path: `${path}/${name}`,
  value: isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined,
});

/** Forms send null and blank text for fields that nobody filled in. */
export const isAbsent = ({ value }: Place): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** The first spelling that is present; if none is, the first spelling counts as missing. */
export const anySpelling = (place: Place, name: string, ...others: readonly string[]): Place =>
  others.map((other) => at(place, other)).find((other) => isAbsent(at(place, name)) && !isAbsent(other)) ??
  at(place, name);

export const optional = <T>(place: Place, parse: (place: Place) => T): T | undefined =>
  isAbsent(place) ? undefined : parse(place);

const present = (place: Place): unknown => (isAbsent(place) ? fail(place, 'is required') : place.value);

export function parseObject(place: Place): Place {
  if (!isRecord(present(place))) fail(place, 'must be an object');
  return place;
}

export const parseText =
  (max: number) =>
  (place: Place): string => {
    const value = present(place);
    if (typeof value !== 'string' || value.trim().length > max)
      fail(place, `must be text of at most ${max} characters`);
    return value.trim();
  };

export function parseFlag(place: Place): boolean {
  const value = present(place);
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(true|false)$/i.test(value.trim())) return /^t/i.test(value.trim());
  return fail(place, 'must be true or false');
}

export const isTrue = (place: Place): boolean => optional(place, parseFlag) ?? false;

export const parseChoice =
  <T extends string>(choices: readonly T[]) =>
  (place: Place): T => {
    const value = present(place);
    const text = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
    return (
      choices.find((choice) => choice.toLowerCase() === text) ??
      fail(place, `must be ${choices.length === 1 ? '' : 'one of '}${choices.join(', ')}`)
    );
  };

const DIGITS = /^[0-9]+$/;

/** The whole number in a text of digits, as published clients send numbers; undefined if it is none. */
export function digitsIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && DIGITS.test(value.trim()) ? Number(value) : undefined;
  return Number.isSafeInteger(number) ? number : undefined;
}

export const parseInteger =
  (min: number, max: number) =>
  (place: Place): number => {
    const value = digitsIn(present(place)) ?? place.value;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
      fail(place, `must be a whole number from ${min} to ${max}`);
    return value;
  };

/** A list with at least one entry. */
export const parseList =
  <T>(max: number, parse: (place: Place) => T) =>
  (place: Place): readonly T[] => {
    const value = present(place);
    if (!Array.isArray(value) || value.length === 0 || value.length > max)
      fail(place, `must be a list of 1 to ${max} entries`);
    return parseEach(value.map((entry, i) => () => parse({ path: `${place.path}/${i}`, value: entry })));
  };

/** A list without two entries about the same plan, because it would be unclear which one applies. */
export const parseListOf =
  <T>(max: number, key: (entry: T) => string, parse: (place: Place) => T) =>
  (place: Place): readonly T[] => {
    const entries = parseList(max, parse)(place);
    const again = entries.findIndex((entry, i) => entries.slice(0, i).some((e) => key(e) === key(entry)));
    if (again >= 0) fail({ ...place, path: `${place.path}/${again}` }, 'names the same plan again');
    return entries;
  };
