import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/platform/db/db.ts';
import { sql } from '../../src/platform/db/sql.ts';

/**
 * Until so many of a database's connections wait for locks, or until the work that should wait has ended without: a test
 * that comes in somebody's way begins with it.
 */
export async function untilWaiting(
  db: Db,
  { count = 1, unless }: { count?: number; unless?: Promise<unknown> } = {},
): Promise<void> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  void unless?.then(end, end);
  while (!hasEnded) {
    const waiting = await db.many(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    if (waiting.length >= count) return;
    await sleep(5);
  }
}
