import {
  addDays,
  type Cycle,
  type CycleDays,
  cycleOf,
  type LocalDay,
  monthOf,
} from '../../kernel/bill-cycle.ts';
import { type LedgerAccount, type Timeliness, timeliness } from './ledger.ts';
import { daysIn } from './local-days.ts';

/** Days of a calendar month that somebody is going to look at, from the first to the last. */
export interface WatchedDays {
  readonly month: LocalDay;
  readonly first: number;
  readonly last: number;
}

/** A cycle of an account that usage came for. */
export interface UsageCycle extends CycleDays {
  readonly cycle: Cycle;
  readonly opensAtMs: number;
  readonly closesAtMs: number;
  readonly timeliness: Timeliness;
  /** The calendar months that it lies in, with its first and last day in each. */
  readonly parts: readonly WatchedDays[];
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

/**
 * Which cycle a day of an account is counted in. Asked for thousands of records of a few days, so it looks them up by
 * texts that exist already, and makes none.
 */
export function cycleFinder(accounts: ReadonlyMap<string, LedgerAccount>, nowMs: number) {
  const byAccount = new Map<string, Map<LocalDay, Map<Cycle, UsageCycle>>>();
  const make = (accountName: string, day: LocalDay, cycle: Cycle): UsageCycle => {
    const { timeZone, billCycleDay } = accounts.get(accountName)!;
    const span = cycleOf(cycle, day, billCycleDay);
    // Days of one cycle share the cycle: changes are put together by it.
    if (span.from !== day) return find(accountName, span.from, cycle);
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
  };
  const find = (accountName: string, day: LocalDay, cycle: Cycle): UsageCycle => {
    const byDay = byAccount.get(accountName) ?? new Map<LocalDay, Map<Cycle, UsageCycle>>();
    const cycles = byDay.get(day) ?? new Map<Cycle, UsageCycle>();
    const known = cycles.get(cycle);
    if (known !== undefined) return known;
    const made = make(accountName, day, cycle);
    byAccount.set(accountName, byDay.set(day, cycles.set(cycle, made)));
    return made;
  };
  return find;
}
