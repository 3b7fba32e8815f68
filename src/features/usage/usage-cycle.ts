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

/** Whose cycles they are. */
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

/** The cycles of one account and kind. */
interface KnownCycles {
  readonly byDay: Map<LocalDay, UsageCycle>;
  readonly byFirstDay: Map<LocalDay, UsageCycle>;
}

/**
 * Which cycle a day of an account is counted in. All days of a cycle get the same object, whichever of them was asked for
 * first; who puts changes together still does it by the cycle's first day, and depends on nobody for it. Asked for
 * thousands of records of a few days, so it looks them up by texts that exist already, and makes none.
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
