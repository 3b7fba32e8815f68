/** Placeholders in a scenario's values: `${run}`, `${listener}`, `${now - P1D}`, `${saved.member}`. */
export type Names = Readonly<Record<string, unknown>>;

export class UnknownName extends Error {}

const PLACEHOLDER = /\$\{\s*(\w+(?:\.\w+)*)\s*(?:([+-])\s*(P[0-9WDTHMS]+)\s*)?\}/g;
/** The syntax of a placeholder. */
export const placeholderOf = (inside: string): string => `\${${inside}}`;
const DURATION = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const TIME = /^\d{4}-\d\d-\d\dT/;
const UNITS_MS = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000];

function durationMs(text: string): number {
  const parts = DURATION.exec(text)?.slice(1);
  if (parts === undefined)
    throw new UnknownName(`${text} is not a duration of weeks, days, hours, minutes and seconds`);
  return parts.reduce((sum, part, n) => sum + Number(part ?? 0) * UNITS_MS[n]!, 0);
}

function namedValue(names: Names, path: string, sign?: string, duration?: string): unknown {
  const value = path
    .split('.')
    .reduce<unknown>(
      (whole, name) =>
        typeof whole === 'object' && whole !== null && Object.hasOwn(whole, name)
          ? (whole as Names)[name]
          : undefined,
      names,
    );
  if (value === undefined) throw new UnknownName(`\${${path}} is unknown at this step`);
  if (duration === undefined) return value;
  const at = TIME.test(String(value)) ? Date.parse(String(value)) : Number.NaN;
  if (Number.isNaN(at))
    throw new UnknownName(`\${${path}} is not a time, so ${duration} cannot be added to it`);
  return new Date(at + (sign === '-' ? -1 : 1) * durationMs(duration)).toISOString();
}

/** A string that is a single placeholder becomes its value, of any type; within other text it becomes text. */
function fillText(text: string, names: Names): unknown {
  const [first] = text.matchAll(PLACEHOLDER);
  if (first !== undefined && first[0] === text) return namedValue(names, first[1]!, first[2], first[3]);
  return text.replaceAll(PLACEHOLDER, (_, path: string, sign?: string, duration?: string) =>
    String(namedValue(names, path, sign, duration)),
  );
}

/** Replaces all placeholders in a value, at any depth. */
export function fill<T>(value: T, names: Names): T {
  if (typeof value === 'string') return fillText(value, names) as T;
  if (Array.isArray(value)) return value.map((one) => fill(one, names)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member, names)])) as T;
}

/** The times available to a step. */
export function timesAt(now: Date) {
  const monthEnd = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  return { now: now.toISOString(), monthEnd: monthEnd.toISOString() };
}

const ANYTHING = '*';

/** Whether a value matches the expected members; `*` matches any existing value. */
export function has(whole: unknown, wanted: unknown): boolean {
  if (wanted === ANYTHING) return whole !== undefined && whole !== null;
  if (Array.isArray(wanted))
    return Array.isArray(whole) && wanted.every((one) => whole.some((each) => has(each, one)));
  if (typeof wanted !== 'object' || wanted === null) return Object.is(whole, wanted);
  if (typeof whole !== 'object' || whole === null) return false;
  return Object.entries(wanted).every(([name, one]) => has((whole as Names)[name], one));
}
