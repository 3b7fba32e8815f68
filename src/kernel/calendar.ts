import { addDays, CYCLES, type Cycle, cycleOf, dayFinder, type LocalDay } from './bill-cycle.ts';
import { RecentMap } from './recent-map.ts';
import { forZone } from './time-zones.ts';

export const daysIn = forZone(dayFinder);

/** What decides where cycles begin. */
interface Rule {
  readonly timeZone: string;
  readonly billCycleDay: number;
}

/** A rule that cycles of one kind follow from an instant on; null stands for all time before the next one. */
interface BoundaryRule extends Rule {
  readonly cycle: Cycle;
  readonly from: string | null;
}

/** The settings of an account, and the rules that its cycles have followed; null if they always followed the settings. */
export interface Boundaries extends Rule {
  readonly boundaries: readonly BoundaryRule[] | null;
}

/** A cycle as instants. A change of boundaries made it shorter than its rule says if it is `shortened`. */
export interface CycleSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly shortened: boolean;
}

/** Days of counters: from the first to before `to`, and pieces of days. */
export interface CountedDays {
  readonly from: LocalDay;
  readonly to: LocalDay;
  readonly pieces: readonly LocalDay[];
}

/** Cycles without gaps or overlaps. */
export interface Cycles {
  readonly cycleAt: (cycle: Cycle, atMs: number) => CycleSpan;
  /** The instant at which a day begins that usage was counted on. */
  readonly startOf: (day: LocalDay) => number;
  /** The days of counters between two boundaries. */
  readonly daysOf: (span: Pick<CycleSpan, 'fromMs' | 'toMs'>) => CountedDays;
}

/** The days and cycles of one account. */
export interface Calendar extends Cycles {
  /** The day of the counter in which usage of this instant is counted. */
  readonly dayAt: (atMs: number) => LocalDay;
  /** Named dates, with the pieces that have one of them. */
  readonly datesOf: (days: Pick<CountedDays, 'from' | 'to'>) => CountedDays;
}

/**
 * Where an account's zone changes, one date can be cut into several pieces, each in other cycles. The first piece is
 * counted on its date. Each further one is counted on the same date 400 years later, a whole number of weeks, so that
 * it has a counter of its own.
 */
export const PIECE_DAYS = 146_097;
/** All days from here on are pieces. */
export const FIRST_PIECE: LocalDay = '2370-01-01';

const DAY_MS = 86_400_000;
const middleOf = (day: LocalDay): number => Date.parse(`${day}T12:00:00Z`);

const partOf = (day: LocalDay): number => Math.floor(Date.parse(day) / DAY_MS / PIECE_DAYS);
const piece = (date: LocalDay, part: number): LocalDay => addDays(date, part * PIECE_DAYS);
/** The date in the account's zone. */
export const dateOf = (day: LocalDay): LocalDay => (day < FIRST_PIECE ? day : piece(day, -partOf(day)));

interface DatedRule extends Rule {
  readonly fromMs: number;
}

type History = Readonly<Record<Cycle, readonly DatedRule[]>>;

function historyOf({ timeZone, billCycleDay, boundaries }: Boundaries): History {
  const rulesOf = (cycle: Cycle): DatedRule[] => {
    const own = (boundaries ?? []).filter((rule) => rule.cycle === cycle);
    if (own.length === 0) return [{ fromMs: Number.NEGATIVE_INFINITY, timeZone, billCycleDay }];
    const dated = own.map(({ from, ...rule }) => ({
      timeZone: rule.timeZone,
      billCycleDay: rule.billCycleDay,
      fromMs: from === null ? Number.NEGATIVE_INFINITY : Date.parse(from),
    }));
    return dated.sort((a, b) => a.fromMs - b.fromMs);
  };
  return { Daily: rulesOf('Daily'), Weekly: rulesOf('Weekly'), Monthly: rulesOf('Monthly') };
}

export const lastBy = <T extends { readonly fromMs: number }>(rules: readonly T[], atMs: number): T =>
  rules.findLast(({ fromMs }) => fromMs <= atMs) ?? rules[0]!;

/** The cycle within the time in which its rule holds. The next rule begins at a boundary of the one before. */
function spanIn(cycle: Cycle, rules: readonly DatedRule[], atMs: number): CycleSpan {
  const rule = lastBy(rules, atMs);
  const next = rules.find(({ fromMs }) => fromMs > atMs);
  const { dayAt, startOf } = daysIn(rule.timeZone);
  const days = cycleOf(cycle, dayAt(atMs), rule.billCycleDay);
  const opensMs = startOf(days.from);
  return {
    fromMs: Math.max(opensMs, rule.fromMs),
    toMs: Math.min(startOf(days.to), next?.fromMs ?? Number.POSITIVE_INFINITY),
    shortened: opensMs < rule.fromMs,
  };
}

/**
 * The rules after a change of the settings, which touches no cycle that has begun: the next ones follow it. Of several
 * changes in one cycle the last holds.
 */
export function changeBoundaries(
  account: Boundaries,
  settings: Rule,
  nowMs: number,
): readonly BoundaryRule[] | null {
  const history = historyOf(account);
  const rules = CYCLES.flatMap((cycle) => {
    const begun = history[cycle].filter(({ fromMs }) => fromMs <= nowMs);
    const { timeZone, billCycleDay } = begun.at(-1)!;
    const isSame =
      timeZone === settings.timeZone && (cycle !== 'Monthly' || billCycleDay === settings.billCycleDay);
    const fromMs = spanIn(cycle, history[cycle], nowMs).toMs;
    return [...begun, ...(isSame ? [] : [{ ...settings, fromMs }])].map((rule) => ({
      cycle,
      from: rule.fromMs === Number.NEGATIVE_INFINITY ? null : new Date(rule.fromMs).toISOString(),
      timeZone: rule.timeZone,
      billCycleDay: rule.billCycleDay,
    }));
  });
  return rules.every(({ from }) => from === null) ? null : rules;
}

/** A date or a piece of one: nothing within it is a boundary of any cycle. */
interface Slot {
  readonly fromMs: number;
  readonly toMs: number;
  readonly date: LocalDay;
  readonly day: LocalDay;
}

/** Farther than this from a change of rules, every day is whole. A date is at most this far from its time in UTC. */
export const NEAR_MS = 4 * DAY_MS;

/** The calendar of an account that always followed one rule: its days are dates. */
function steadyCalendar(history: History): Calendar {
  const { dayAt, startOf } = daysIn(history.Daily[0]!.timeZone);
  return {
    dayAt,
    startOf,
    cycleAt: (cycle, atMs) => spanIn(cycle, history[cycle], atMs),
    daysOf: ({ fromMs, toMs }) => ({ from: dayAt(fromMs), to: dayAt(toMs), pieces: [] }),
    datesOf: ({ from, to }) => ({ from, to, pieces: [] }),
  };
}

const SLOTS_REMEMBERED = 500;

function changedCalendar(history: History): Calendar {
  const changes = [
    ...new Set(CYCLES.flatMap((cycle) => history[cycle].flatMap(({ fromMs }) => fromMs))),
  ].filter(Number.isFinite);
  const cycleAt = (cycle: Cycle, atMs: number) => spanIn(cycle, history[cycle], atMs);
  const uncut = (atMs: number): Omit<Slot, 'day'> => {
    const spans = CYCLES.map((cycle) => cycleAt(cycle, atMs));
    const fromMs = Math.max(...spans.map((span) => span.fromMs));
    const toMs = Math.min(...spans.map((span) => span.toMs));
    return { fromMs, toMs, date: daysIn(lastBy(history.Daily, atMs).timeZone).dayAt(fromMs) };
  };
  const known = new RecentMap<number, readonly Slot[]>(SLOTS_REMEMBERED);
  /** The slots that overlap a UTC day. Pieces of a date are numbered in the order of time. */
  const slotsOn = (utcDay: number): readonly Slot[] => {
    const found = known.get(utcDay);
    if (found !== undefined) return found;
    const [firstMs, endMs] = [utcDay * DAY_MS, (utcDay + 1) * DAY_MS];
    const isNear = changes.some((atMs) => Math.abs(atMs - firstMs) <= 2 * NEAR_MS);
    const seen = new Map<LocalDay, number>();
    const slots: Slot[] = [];
    for (let atMs = isNear ? firstMs - NEAR_MS : firstMs; atMs < endMs; ) {
      const slot = uncut(atMs);
      const part = seen.get(slot.date) ?? 0;
      seen.set(slot.date, part + 1);
      if (slot.toMs > firstMs) slots.push({ ...slot, day: piece(slot.date, part) });
      atMs = slot.toMs;
    }
    known.set(utcDay, slots);
    return slots;
  };
  const slotAt = (atMs: number): Slot =>
    slotsOn(Math.floor(atMs / DAY_MS)).find(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)!;
  /** The slots that begin in a time, in order. */
  const slotsIn = (fromMs: number, toMs: number): Slot[] => {
    const slots: Slot[] = [];
    for (let atMs = fromMs; atMs < toMs; ) {
      const slot = slotAt(atMs);
      if (slot.fromMs >= fromMs) slots.push(slot);
      atMs = slot.toMs;
    }
    return slots;
  };
  const firstFrom = (fromMs: number): LocalDay =>
    slotsIn(fromMs, fromMs + NEAR_MS).find(({ date, day }) => date === day)!.day;
  const piecesIn = (fromMs: number, toMs: number): LocalDay[] => {
    const found = changes.flatMap((atMs) =>
      slotsIn(Math.max(fromMs, atMs - NEAR_MS), Math.min(toMs, atMs + NEAR_MS)).filter(
        ({ date, day }) => date !== day,
      ),
    );
    return [...new Set(found.map(({ day }) => day))].sort();
  };
  return {
    cycleAt,
    dayAt: (atMs) => slotAt(atMs).day,
    startOf(day) {
      const near = middleOf(dateOf(day));
      // A date that the zone skipped begins with the next one.
      const slots = slotsIn(near - NEAR_MS, near + NEAR_MS);
      const found =
        slots.find((slot) => slot.day === day) ??
        slots.find(({ date, day: own }) => own === date && own > day);
      return found!.fromMs;
    },
    daysOf: ({ fromMs, toMs }) => ({
      from: firstFrom(fromMs),
      to: firstFrom(toMs),
      pieces: piecesIn(fromMs, toMs),
    }),
    datesOf({ from, to }) {
      const pieces = piecesIn(middleOf(from) - NEAR_MS, middleOf(to) + NEAR_MS);
      return { from, to, pieces: pieces.filter((day) => dateOf(day) >= from && dateOf(day) < to) };
    },
  };
}

const CALENDARS_REMEMBERED = 2_000;
const calendars = new RecentMap<string, Calendar>(CALENDARS_REMEMBERED);

/** Accounts with the same rules have the same calendar. */
export function calendarOf({ timeZone, billCycleDay, boundaries }: Boundaries): Calendar {
  const key = `${timeZone} ${billCycleDay} ${boundaries === null ? '' : JSON.stringify(boundaries)}`;
  const known = calendars.get(key);
  if (known !== undefined) return known;
  const history = historyOf({ timeZone, billCycleDay, boundaries });
  const made = boundaries === null ? steadyCalendar(history) : changedCalendar(history);
  calendars.set(key, made);
  return made;
}

/** Where the cycles begin that are billed in a calendar month: all that begin in it, in the account's zone. */
export function billMonthStart(account: Boundaries, year: number, month: number): number {
  const { cycleAt } = calendarOf(account);
  const { Monthly: rules } = historyOf(account);
  const wanted = new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 7);
  const monthAt = (atMs: number) => daysIn(lastBy(rules, atMs).timeZone).dayAt(atMs).slice(0, 7);
  let { fromMs, toMs } = cycleAt('Monthly', Date.UTC(year, month - 3, 1));
  while (monthAt(fromMs) < wanted) ({ fromMs, toMs } = cycleAt('Monthly', toMs));
  return fromMs;
}
