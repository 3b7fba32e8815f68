import { addDays, cycleOf, type LocalDay } from '../../../kernel/bill-cycle.ts';
import { daysIn } from '../../usage/index.ts';
import type { CycleAccount } from '../levels/level.ts';

/** A closed cycle. */
interface Closed {
  readonly from: LocalDay;
  readonly account: Pick<CycleAccount, 'timeZone' | 'billCycleDay'>;
}

const cycleBefore = ({ from, account }: Closed): LocalDay =>
  cycleOf('Monthly', addDays(from, -1), account.billCycleDay).from;

/** The latest start of a stay on a plan that reaches this number of whole cycles when this cycle closes. */
export function agedSince({ from, account }: Closed, billCycles: number): Date {
  let day: LocalDay = from;
  for (let n = 1; n < billCycles; n++) day = cycleBefore({ from: day, account });
  return new Date(daysIn(account.timeZone).startOf(day));
}

/** A bill cycle begins once in every calendar month. */
const monthNumber = (day: LocalDay): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));

/** How many whole cycles a line had been on its plan when this cycle closed. */
export function wholeCycles(closed: Closed, planSince: Date): number {
  const { from, account } = closed;
  const { dayAt, startOf } = daysIn(account.timeZone);
  const sinceMs = planSince.getTime();
  if (sinceMs > startOf(from)) return 0;
  const joined = cycleOf('Monthly', dayAt(sinceMs), account.billCycleDay);
  const first = startOf(joined.from) >= sinceMs ? joined.from : joined.to;
  // The closed cycle is counted separately, because it may have begun on another bill-cycle day.
  return 1 + Math.max(0, monthNumber(cycleBefore(closed)) - monthNumber(first) + 1);
}
