import { type DayFinder, dayFinder } from '../../kernel/bill-cycle.ts';

const finders = new Map<string, DayFinder>();

/** One for each zone that an account has ever named: there are some hundred zones. */
export function daysIn(timeZone: string): DayFinder {
  const known = finders.get(timeZone);
  if (known !== undefined) return known;
  const made = dayFinder(timeZone);
  finders.set(timeZone, made);
  return made;
}
