import { addDays, cycleOf, type LocalDay } from '../../../kernel/bill-cycle.ts';
import { daysIn } from '../../usage/index.ts';
import type { CycleAccount } from '../levels/level.ts';

/** A cycle that has closed. */
interface Closed {
  readonly from: LocalDay;
  readonly account: Pick<CycleAccount, 'timeZone' | 'billCycleDay'>;
}

const cycleBefore = ({ from, account }: Closed): LocalDay =>
  cycleOf('Monthly', addDays(from, -1), account.billCycleDay).from;

/** The beginning of the cycle that was so many cycles long ago when this one closed: only whole cycles on a plan count. */
export function agedSince({ from, account }: Closed, billCycles: number): Date {
  let day: LocalDay = from;
  for (let n = 1; n < billCycles; n++) day = cycleBefore({ from: day, account });
  return new Date(daysIn(account.timeZone).startOf(day));
}

/** A bill cycle begins once in every calendar month. */
const monthNumber = (day: LocalDay): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));

/** How many whole cycles a line has been on its plan when this one closed. */
export function wholeCycles(closed: Closed, planSince: Date): number {
  const { from, account } = closed;
  const { dayAt, startOf } = daysIn(account.timeZone);
  const sinceMs = planSince.getTime();
  if (sinceMs > startOf(from)) return 0;
  const joined = cycleOf('Monthly', dayAt(sinceMs), account.billCycleDay);
  const first = startOf(joined.from) >= sinceMs ? joined.from : joined.to;
  // The closed one is counted by itself: it may have begun on another bill-cycle day.
  return 1 + Math.max(0, monthNumber(cycleBefore(closed)) - monthNumber(first) + 1);
}
