import { calendarOf } from '../../../kernel/calendar.ts';
import type { Db } from '../../../platform/db/db.ts';
import { type ComparedCycle, listComparedCycles } from '../sql-counters.ts';

export function firstEnd(cycles: readonly ComparedCycle[], after: Date): Date | undefined {
  const ends = cycles.map(
    ({ cycle, ...account }) => calendarOf(account).cycleAt(cycle, after.getTime()).toMs,
  );
  return ends.length === 0 ? undefined : new Date(Math.min(...ends));
}

/** The next time at which a cycle closes in which usage of any account is compared: usage that arrives for it later is late. */
export const nextCycleEnd = async (db: Db, after: Date): Promise<Date | undefined> =>
  firstEnd(await listComparedCycles(db), after);
