import { addDays, type Cycle, type LocalDay, monthOf } from '../../kernel/bill-cycle.ts';
import { type Boundaries, type CountedDays, type CycleSpan, calendarOf } from '../../kernel/calendar.ts';
import { type CountedRecord, type LedgerAccount, type Timeliness, timeliness } from './ledger.ts';

/** Days of a calendar month, from the first to the last. */
export interface MonthDays {
  readonly month: LocalDay;
  readonly first: number;
  readonly last: number;
}

/** A cycle of an account for which usage arrived. */
export interface UsageCycle extends CountedDays {
  readonly cycle: Cycle;
  /** The day on which it begins; no other cycle of its kind has it. */
  readonly key: LocalDay;
  readonly opensAtMs: number;
  readonly closesAtMs: number;
  readonly timeliness: Timeliness;
  /** The calendar months of its counters, with its first and last day in each. */
  readonly parts: readonly MonthDays[];
}

const numberOf = (day: LocalDay) => Number(day.slice(8));

function partsOf({ from, to, pieces }: CountedDays): UsageCycle['parts'] {
  const parts = pieces.map((day) => ({ month: monthOf(day), first: numberOf(day), last: numberOf(day) }));
  for (let month = monthOf(from); month < to; month = monthOf(addDays(month, 31))) {
    const next = monthOf(addDays(month, 31));
    const first = month < from ? numberOf(from) : 1;
    parts.push({ month, first, last: next <= to ? 31 : numberOf(addDays(to, -1)) });
  }
  return parts;
}

function make(cycle: Cycle, key: LocalDay, span: CycleSpan, account: Boundaries, nowMs: number): UsageCycle {
  const days = calendarOf(account).daysOf(span);
  return {
    ...days,
    cycle,
    key,
    opensAtMs: span.fromMs,
    closesAtMs: span.toMs,
    timeliness: timeliness(span.toMs, nowMs),
    parts: partsOf(days),
  };
}

/** The known cycles of one account and kind. */
interface KnownCycles {
  readonly byDay: Map<LocalDay, UsageCycle>;
  readonly byKey: Map<LocalDay, UsageCycle>;
}

/**
 * Finds the cycle in which a day of an account is counted. All days of a cycle get the same object, but callers still
 * group by the cycle's key and do not rely on this. It is called for thousands of records of few days, so it uses
 * existing strings as keys and creates none.
 */
export function cycleFinder(accounts: ReadonlyMap<string, Boundaries>, nowMs: number) {
  const known = new Map<string, Record<Cycle, KnownCycles>>();
  const none = (): KnownCycles => ({ byDay: new Map(), byKey: new Map() });
  return (accountName: string, day: LocalDay, cycle: Cycle): UsageCycle => {
    let cycles = known.get(accountName);
    if (cycles === undefined) {
      cycles = { Daily: none(), Weekly: none(), Monthly: none() };
      known.set(accountName, cycles);
    }
    const { byDay, byKey } = cycles[cycle];
    const found = byDay.get(day);
    if (found !== undefined) return found;
    const account = accounts.get(accountName)!;
    const { cycleAt, dayAt, startOf } = calendarOf(account);
    const span = cycleAt(cycle, startOf(day));
    const key = dayAt(span.fromMs);
    const made = byKey.get(key) ?? make(cycle, key, span, account, nowMs);
    byKey.set(key, made);
    byDay.set(day, made);
    return made;
  };
}

type CycleFinder = ReturnType<typeof cycleFinder>;

/** The evaluated days and cycles of a batch. */
export interface Evaluation {
  readonly cycleAt: CycleFinder;
  readonly cycles: readonly Cycle[];
  /** The days whose counters the counting statement returns. */
  readonly days: readonly MonthDays[];
  /** No usage is counted after this day. */
  readonly latestDay: LocalDay;
}

export function evaluationOf(
  records: readonly CountedRecord[],
  accounts: ReadonlyMap<string, LedgerAccount>,
  cycles: readonly Cycle[],
  nowMs: number,
): Evaluation {
  const cycleAt = cycleFinder(accounts, nowMs);
  // Zones are up to a day apart.
  const latestDay = addDays(new Date(nowMs).toISOString().slice(0, 10), 1);
  const latest = { month: monthOf(latestDay), day: Number(latestDay.slice(8)) };
  const days = new Map<LocalDay, MonthDays>();
  const add = ({ month, first, last }: MonthDays) => {
    const known = days.get(month) ?? { first, last: first };
    const end = month === latest.month ? Math.min(last, latest.day) : last;
    days.set(month, { month, first: Math.min(first, known.first), last: Math.max(end, known.last) });
  };
  const seen = new Map<string, Set<LocalDay>>();
  for (const { accountName, day } of records) {
    const ofAccount = seen.get(accountName) ?? new Set<LocalDay>();
    if (ofAccount.has(day)) continue;
    seen.set(accountName, ofAccount.add(day));
    for (const cycle of cycles) for (const part of cycleAt(accountName, day, cycle).parts) add(part);
  }
  return { cycleAt, cycles, days: [...days.values()], latestDay };
}
