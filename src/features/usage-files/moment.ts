import { toZonedText } from '../../kernel/zoned-time.ts';

const WITH_OFFSET = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/i;
const LOCAL = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?$/;
const PLAIN = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/;
const SECONDS = /^\d{10}$/;
const MILLISECONDS = /^\d{13}$/;

/** Zones change their offset only at a quarter of an hour. */
const QUARTER_MS = 900_000;
const REMEMBERED_MAX = 10_000;
/** Longer texts are no moments, and must not fill memory. */
const TEXT_MAX = 40;

/** How far a zone is ahead of UTC. */
function offsetFinder(timeZone: string): (atMs: number) => number {
  const known = new Map<number, number>();
  return (atMs) => {
    const quarter = Math.floor(atMs / QUARTER_MS);
    const found = known.get(quarter);
    if (found !== undefined) return found;
    const text = toZonedText(new Date(quarter * QUARTER_MS), timeZone);
    const offset = Date.parse(`${text.slice(0, 19)}Z`) - quarter * QUARTER_MS;
    if (known.size >= REMEMBERED_MAX) known.clear();
    known.set(quarter, offset);
    return offset;
  };
}

/**
 * Parses moments as network elements write them: with an offset, as local time of a zone, as digits alone, or as
 * seconds or milliseconds since 1970. If local clocks repeat an hour, it takes the first one; if they skip an hour, it
 * calculates with the offset before the change. Returns the form that feeds take, or undefined.
 */
export function momentReader(timeZone = 'UTC'): (text: string) => string | undefined {
  const offsetAt = offsetFinder(timeZone);
  const toText = (ms: number): string | undefined =>
    Number.isNaN(ms) || Math.abs(ms) > 8.64e15 ? undefined : new Date(ms).toISOString();
  const ofZone = (localMs: number): number => {
    // A day earlier the offset has not changed yet: the first of two moments is the one with that offset.
    const before = localMs - offsetAt(localMs - 86_400_000);
    if (offsetAt(before) === localMs - before) return before;
    const after = localMs - offsetAt(localMs + 86_400_000);
    return offsetAt(after) === localMs - after ? after : before;
  };
  const read = (text: string): string | undefined => {
    if (SECONDS.test(text)) return toText(Number(text) * 1_000);
    if (MILLISECONDS.test(text)) return toText(Number(text));
    if (WITH_OFFSET.test(text))
      return toText(Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)(\d\d)$/, '$1:$2')));
    const [, year, month, day, hour, minute, second = '00', fraction = ''] =
      LOCAL.exec(text) ?? PLAIN.exec(text) ?? [];
    if (year === undefined) return undefined;
    const written = `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}Z`;
    const localMs = Date.parse(written);
    // Date.parse takes 30 February for 2 March.
    if (Number.isNaN(localMs) || new Date(localMs).toISOString().slice(0, 19) !== written.slice(0, 19))
      return undefined;
    return toText(ofZone(localMs));
  };
  // Consecutive rows often have the same seconds.
  const known = new Map<string, string | undefined>();
  return (text) => {
    if (known.has(text)) return known.get(text);
    const moment = read(text);
    if (known.size >= REMEMBERED_MAX) known.clear();
    if (text.length <= TEXT_MAX) known.set(text, moment);
    return moment;
  };
}
