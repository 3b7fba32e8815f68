import type { Ctx } from '../context/context.ts';
import type { Db } from '../db/db.ts';
import { type Query, sql } from '../db/sql.ts';
import type { MoveStep, TimedWork } from '../flow-control/timed-work.ts';

/** Queries for `TimedWork` over waiting rows with `due_at` and `move_nr`; `findNextDue` finds the first of them. */
export const timesOf = (
  { db, now }: Ctx,
  waiting: Query,
  findNextDue: (db: Db) => Promise<Date | undefined>,
) => ({
  /** Checks all work, or the work that a move waits for. Running work counts as waiting until it is recorded. */
  async isDue(step?: MoveStep): Promise<boolean> {
    if (step === undefined) {
      const next = await findNextDue(db);
      return next !== undefined && next <= now();
    }
    const { is } = await db.one<{ is: boolean }>(sql`
      select exists (select 1 from (${waiting}) w where due_at <= ${step.until} and move_nr <= ${step.nr}) as is`);
    return is;
  },
  // With a move, these queries read all waiting rows. Production has no moves.
  async nextDueAt(scope: Parameters<TimedWork['nextDueAt']>[0]): Promise<Date | undefined> {
    if (scope === undefined) return findNextDue(db);
    const { dueAt } = await db.one<{ dueAt: Date | null }>(sql`
      select min(due_at) as "dueAt" from (${waiting}) w where due_at > ${scope.after} and move_nr <= ${scope.nr}`);
    return dueAt ?? undefined;
  },
  async countUnfinished(...[until, scope]: Parameters<TimedWork['countUnfinished']>): Promise<number> {
    const { n } = await db.one<{ n: number }>(sql`
      select count(*)::int as n from (${waiting}) w
      where due_at <= ${until} and ${scope === undefined ? sql`true` : sql`move_nr <= ${scope.nr}`}`);
    return n;
  },
});
