import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/platform/db/db.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { isOnCluster } from './citus.ts';

const WAITING = sql`
  select count(*)::int as waiting from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;
/** These wait events mean a row on a worker or a lock of the coordinator itself. */
const ON_ALL_SERVERS = sql`
  select sum(result::int)::int as waiting from run_command_on_all_nodes(${WAITING.text})`;

/** The number of a database's connections that wait for locks. */
export const countWaiting = async (db: Db): Promise<number> =>
  (await db.one<{ waiting: number }>(isOnCluster() ? ON_ALL_SERVERS : WAITING)).waiting;

/**
 * Waits until this many of a database's connections wait for locks, or until the work that should wait has ended without
 * waiting. Tests of contention start with it.
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
    if ((await countWaiting(db)) >= count) return;
    await sleep(5);
  }
}
