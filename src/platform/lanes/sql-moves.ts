import type { Db } from '../db/db.ts';
import { type Query, sql } from '../db/sql.ts';
import type { MoveScope } from '../flow-control/timed-work.ts';

/**
 * What a move of the sandbox's clock waits for, among rows with `due_at` and `move_nr` that wait. These read all of them; in
 * production nobody asks.
 */
export const movesOf = (waiting: Query) => ({
  /** When the next of them is due after `after`. */
  findNext: async (db: Db, { nr, after }: MoveScope & { readonly after: Date }): Promise<Date | undefined> =>
    (
      await db.one<{ dueAt: Date | null }>(sql`
        select min(due_at) as "dueAt" from (${waiting}) w where due_at > ${after} and move_nr <= ${nr}`)
    ).dueAt ?? undefined,

  /** Whether one of them is due. What is under way waits until it is recorded. */
  hasDue: async (db: Db, { nr, until }: MoveScope & { readonly until: Date }): Promise<boolean> =>
    (
      await db.one<{ is: boolean }>(sql`
        select exists (select from (${waiting}) w where due_at <= ${until} and move_nr <= ${nr}) as is`)
    ).is,

  /** Without a number, of all that waits. */
  countDue: async (db: Db, until: Date, nr?: number): Promise<number> =>
    (
      await db.one<{ n: number }>(sql`
        select count(*)::int as n from (${waiting}) w
        where due_at <= ${until} and ${nr === undefined ? sql`true` : sql`move_nr <= ${nr}`}`)
    ).n,
});
