/** A calendar day in some time zone, as YYYY-MM-DD. */
export type Day = string;
export type CycleKind = 'Daily' | 'Weekly' | 'Monthly';
export const CYCLE_KINDS: readonly CycleKind[] = ['Daily', 'Weekly', 'Monthly'];

/** Half-open. */
interface Span {
  readonly from: Day;
  readonly to: Day;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

const formats = new Map<string, Intl.DateTimeFormat>();
const days = new Map<string, Day>();
/** Clocks change by whole quarters of an hour, so one result holds for the whole quarter. */
const QUARTER_MS = HOUR_MS / 4;

function readCalendar(zone: string, ms: number): Day {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  formats.set(zone, format);
  const parts = format.formatToParts(ms);
  const part = (type: string) => parts.find((one) => one.type === type)!.value;
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** The local calendar day in the zone. */
export function dayAt(zone: string, ms: number): Day {
  const key = `${zone} ${Math.floor(ms / QUARTER_MS)}`;
  const known = days.get(key) ?? readCalendar(zone, ms);
  days.set(key, known);
  return known;
}

const noonOf = (day: Day) => new Date(`${day}T12:00:00Z`);
export function dayAfter(day: Day, days = 1): Day {
  const noon = noonOf(day);
  noon.setUTCDate(noon.getUTCDate() + days);
  return noon.toISOString().slice(0, 10);
}

const starts = new Map<string, number>();

/** The first instant of that local day, found by trying hours, then minutes, then milliseconds. */
export function startOf(zone: string, day: Day): number {
  const key = `${zone} ${day}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  let ms = noonOf(day).getTime() - 40 * HOUR_MS;
  for (const step of [HOUR_MS, 60_000, 1_000, 1]) while (dayAt(zone, ms + step) < day) ms += step;
  starts.set(key, ms + 1);
  return ms + 1;
}

const lengths = new Map<string, number>();

/** Steps from day to day until the month changes. */
function lastOfMonth(day: Day): number {
  const month = day.slice(0, 7);
  let last = lengths.get(month) ?? 28;
  while (dayAfter(`${month}-${last}`).startsWith(month)) last++;
  lengths.set(month, last);
  return last;
}

function begins(kind: CycleKind, day: Day, billDay: number): boolean {
  if (kind === 'Daily') return true;
  if (kind === 'Weekly') return noonOf(day).getUTCDay() === 1;
  return Number(day.slice(8)) === Math.min(billDay, lastOfMonth(day));
}

const cycles = new Map<string, Span>();

/** Steps from day to day until one begins a cycle. */
export function cycleOf(kind: CycleKind, day: Day, billDay: number): Span {
  const key = `${kind} ${day} ${billDay}`;
  const known = cycles.get(key);
  if (known !== undefined) return known;
  let from = day;
  while (!begins(kind, from, billDay)) from = dayAfter(from, -1);
  let to = dayAfter(day);
  while (!begins(kind, to, billDay)) to = dayAfter(to);
  cycles.set(key, { from, to });
  return { from, to };
}

/** What decides where the cycles of an account begin, from an instant on. */
export interface DatedRule {
  readonly from: number;
  readonly timeZone: string;
  readonly billDay: number;
}

/** Half-open. */
export interface Stretch {
  readonly opens: number;
  readonly closes: number;
  /** It begins later than its rule says, because the rule did not hold earlier. */
  readonly shortened: boolean;
}

export const ruleAt = (rules: readonly DatedRule[], at: number): DatedRule =>
  rules.findLast(({ from }) => from <= at)!;

/** The cycle by the rule of its time, cut where the rule begins and where the next one does. */
function findStretch(rules: readonly DatedRule[], kind: CycleKind, at: number): Stretch {
  const rule = ruleAt(rules, at);
  const next = rules.find(({ from }) => from > at);
  const span = cycleOf(kind, dayAt(rule.timeZone, at), rule.billDay);
  const opens = startOf(rule.timeZone, span.from);
  const closes = startOf(rule.timeZone, span.to);
  return {
    opens: Math.max(opens, rule.from),
    closes: Math.min(closes, next?.from ?? Number.POSITIVE_INFINITY),
    shortened: opens < rule.from,
  };
}

/** Lists of rules never change. */
const stretches = new WeakMap<readonly DatedRule[], Map<CycleKind, Stretch[]>>();

export function stretchAt(rules: readonly DatedRule[], kind: CycleKind, at: number): Stretch {
  const known = stretches.get(rules) ?? new Map<CycleKind, Stretch[]>();
  const own = known.get(kind) ?? [];
  stretches.set(rules, known.set(kind, own));
  const found = own.find(({ opens, closes }) => opens <= at && at < closes);
  if (found !== undefined) return found;
  const stretch = findStretch(rules, kind, at);
  own.push(stretch);
  return stretch;
}

/** The open cycle ends as it would have, and the next one follows the new rule. Of several changes the last holds. */
export function changeRule(
  rules: readonly DatedRule[],
  kind: CycleKind,
  to: { readonly timeZone: string; readonly billDay: number },
  now: number,
): readonly DatedRule[] {
  const from = stretchAt(rules, kind, now).closes;
  return [...rules.filter((rule) => rule.from <= now), { ...to, from }];
}

/** mm/dd/yyyy in the zone. */
export function slashDate(zone: string, ms: number): string {
  const [year, month, day] = dayAt(zone, ms).split('-');
  return `${month}/${day}/${year}`;
}
