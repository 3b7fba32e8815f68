import {
  addDays,
  type Cycle,
  type CycleDays,
  cycleOf,
  dayFinder,
  type LocalDay,
  monthOf,
} from '../../kernel/bill-cycle.ts';
import { forZone } from '../../kernel/time-zones.ts';
import { type CountedRecord, type LedgerAccount, type Timeliness, timeliness } from './ledger.ts';

export const daysIn = forZone(dayFinder);

/** Days of a calendar month, from the first to the last. */
export interface MonthDays {
  readonly month: LocalDay;
  readonly first: number;
  readonly last: number;
}

/** A cycle of an account for which usage arrived. */
export interface UsageCycle extends CycleDays {
  readonly cycle: Cycle;
  readonly opensAtMs: number;
  readonly closesAtMs: number;
  readonly timeliness: Timeliness;
  /** The calendar months that it covers, with its first and last day in each. */
  readonly parts: readonly MonthDays[];
}

function partsOf({ from, to }: CycleDays): UsageCycle['parts'] {
  const last = addDays(to, -1);
  const dayOf = (day: LocalDay) => Number(day.slice(8));
  return monthOf(from) === monthOf(last)
    ? [{ month: monthOf(from), first: dayOf(from), last: dayOf(last) }]
    : [
        { month: monthOf(from), first: dayOf(from), last: 31 },
        { month: monthOf(last), first: 1, last: dayOf(last) },
      ];
}

/** The account whose cycles they are. */
type CycleAccount = Pick<LedgerAccount, 'timeZone' | 'billCycleDay'>;

function make(cycle: Cycle, span: CycleDays, { timeZone }: CycleAccount, nowMs: number): UsageCycle {
  const { startOf } = daysIn(timeZone);
  const closesAtMs = startOf(span.to);
  return {
    ...span,
    cycle,
    opensAtMs: startOf(span.from),
    closesAtMs,
    timeliness: timeliness(closesAtMs, nowMs),
    parts: partsOf(span),
  };
}

/** The known cycles of one account and kind. */
interface KnownCycles {
  readonly byDay: Map<LocalDay, UsageCycle>;
  readonly byFirstDay: Map<LocalDay, UsageCycle>;
}

/**
 * Finds the cycle in which a day of an account is counted. All days of a cycle get the same object, but callers still
 * group by the cycle's first day and do not rely on this. It is called for thousands of records of few days, so it uses
 * existing strings as keys and creates none.
 */
export function cycleFinder(accounts: ReadonlyMap<string, CycleAccount>, nowMs: number) {
  const known = new Map<string, Record<Cycle, KnownCycles>>();
  const none = (): KnownCycles => ({ byDay: new Map(), byFirstDay: new Map() });
  return (accountName: string, day: LocalDay, cycle: Cycle): UsageCycle => {
    let cycles = known.get(accountName);
    if (cycles === undefined) {
      cycles = { Daily: none(), Weekly: none(), Monthly: none() };
      known.set(accountName, cycles);
    }
    const { byDay, byFirstDay } = cycles[cycle];
    const found = byDay.get(day);
    if (found !== undefined) return found;
    const account = accounts.get(accountName)!;
    const span = cycleOf(cycle, day, account.billCycleDay);
    const made = byFirstDay.get(span.from) ?? make(cycle, span, account, nowMs);
    byFirstDay.set(span.from, made);
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
