import { placeholderOf } from '../values.ts';

const SECOND_MS = 1_000;
const UNITS = [
  ['D', 86_400],
  ['H', 3_600],
  ['M', 60],
  ['S', 1],
] as const;

/** In whole days, hours, minutes and seconds. */
export function durationOf(seconds: number): string {
  let left = seconds;
  const [days, ...times] = UNITS.map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? '' : `${count}${unit}`;
  });
  const time = times.join('');
  if (days === '' && time === '') return 'PT0S';
  return `P${days}${time === '' ? '' : `T${time}`}`;
}

const EXACT_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The time relative to the step, rounded down to the second. */
function relativeTo(nowMs: number, text: string): string {
  const aheadMs = Date.parse(text) - nowMs;
  const seconds = aheadMs > 0 ? Math.floor(aheadMs / SECOND_MS) : Math.ceil(-aheadMs / SECOND_MS);
  return placeholderOf(seconds === 0 ? 'now' : `now ${aheadMs > 0 ? '+' : '-'} ${durationOf(seconds)}`);
}

/** Replaces all exact times in a value, at any depth. */
export function withRelativeTimes(value: unknown, nowMs: number): unknown {
  if (typeof value === 'string') return EXACT_TIME.test(value) ? relativeTo(nowMs, value) : value;
  if (Array.isArray(value)) return value.map((one) => withRelativeTimes(one, nowMs));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withRelativeTimes(member, nowMs)]),
  );
}
