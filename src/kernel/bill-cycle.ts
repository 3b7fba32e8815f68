/** A calendar day in the time zone of the account, as YYYY-MM-DD: days compare as text. */
export type LocalDay = string;

export const CYCLES = ['Daily', 'Weekly', 'Monthly'] as const;
export type Cycle = (typeof CYCLES)[number];

/** Half-open: `to` is the first day of the next cycle. */
export interface CycleDays {
  readonly from: LocalDay;
  readonly to: LocalDay;
}

const DAY_MS = 86_400_000;

const toDay = (ms: number): LocalDay => new Date(ms).toISOString().slice(0, 10);
const toMs = (day: LocalDay): number => Date.parse(`${day}T00:00:00Z`);

export const addDays = (day: LocalDay, days: number): LocalDay => toDay(toMs(day) + days * DAY_MS);

/** The first day of the calendar month. */
export const monthOf = (day: LocalDay): LocalDay => `${day.slice(0, 7)}-01`;

/** If the month is too short, its last day: 31 January, 28 February, 31 March. */
function billDay(year: number, month: number, billCycleDay: number): LocalDay {
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return toDay(Date.UTC(year, month, Math.min(billCycleDay, lastOfMonth)));
}

/** The cycle that a day belongs to; weeks begin on Monday, months on the account's bill-cycle day. */
export function cycleOf(cycle: Cycle, day: LocalDay, billCycleDay: number): CycleDays {
  const date = new Date(toMs(day));
  if (cycle === 'Daily') return { from: day, to: addDays(day, 1) };
  if (cycle === 'Weekly') {
    const from = addDays(day, -((date.getUTCDay() + 6) % 7));
    return { from, to: addDays(from, 7) };
  }
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const inMonth = billDay(year, month, billCycleDay);
  return day < inMonth
    ? { from: billDay(year, month - 1, billCycleDay), to: inMonth }
    : { from: inMonth, to: billDay(year, month + 1, billCycleDay) };
}

/** Local days of one time zone. It remembers results, so repeated queries are table look-ups. */
interface DayFinder {
  readonly dayAt: (atMs: number) => LocalDay;
  /** The first instant of the day, or of the next one if the zone skipped the day. */
  readonly startOf: (day: LocalDay) => number;
}

/** The least number in (from, to] for which the condition holds; it holds from there on. */
function leastWhere(from: number, to: number, holds: (ms: number) => boolean): number {
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

const REMEMBERED_MAX = 500;

export function dayFinder(timeZone: string): DayFinder {
  const format = new Intl.DateTimeFormat('en-CA-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const localDay = (ms: number): LocalDay => format.format(ms);
  // A UTC day contains at most one local midnight; in some zones the two coincide, and the day is not split.
  const known = new Map<number, { splitAt: number; before: LocalDay; after: LocalDay }>();
  const learn = (utcDay: number) => {
    const [first, last] = [utcDay * DAY_MS, (utcDay + 1) * DAY_MS - 1];
    const [before, after] = [localDay(first), localDay(last)];
    const splitAt = before === after ? first : leastWhere(first, last, (ms) => localDay(ms) > before);
    if (known.size >= REMEMBERED_MAX) known.clear();
    known.set(utcDay, { splitAt, before, after });
    return { splitAt, before, after };
  };
  const starts = new Map<LocalDay, number>();
  return {
    dayAt(atMs) {
      const utcDay = Math.floor(atMs / DAY_MS);
      const { splitAt, before, after } = known.get(utcDay) ?? learn(utcDay);
      return atMs < splitAt ? before : after;
    },
    startOf(day) {
      const found = starts.get(day);
      if (found !== undefined) return found;
      const midnight = toMs(day);
      // No zone is more than 15 hours away from UTC, but one may skip a whole day.
      const start = leastWhere(midnight - 2 * DAY_MS, midnight + 2 * DAY_MS, (ms) => localDay(ms) >= day);
      if (starts.size >= REMEMBERED_MAX) starts.clear();
      starts.set(day, start);
      return start;
    },
  };
}
