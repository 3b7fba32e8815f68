import type { Db } from '../../../platform/db/db.ts';
import { sql, unprepared } from '../../../platform/db/sql.ts';

/**
 * What waits, each message counted once: due now, later for another attempt, or held back with its paused listener
 * for as long as an operator wants, which is no backlog.
 */
export type Backlog = Readonly<Record<'due' | 'later' | 'paused', number>>;

/** More than this need not be counted to know that there are too many. */
const COUNTED_MAX = 1_000_000;

export const countWaiting = (db: Db, now: Date) =>
  db.one<Backlog>(
    unprepared(sql`
      select (count(*) filter (where not paused and due_at <= ${now}))::int as due,
        (count(*) filter (where not paused and due_at > ${now}))::int as later,
        (count(*) filter (where paused))::int as paused
      from (
        select p.due_at, coalesce(l.paused, false) as paused
        from callback_pending p left join callback_listener l using (ecpd_id, account_name, service_name)
        limit ${COUNTED_MAX}) counted`),
  );
