import { sql } from '../../../src/platform/db/sql.ts';
import { until } from '../../support/service-crew.ts';
import type { ServiceProcess } from '../../support/service-process.ts';
import type { World } from '../../support/world.ts';

/**
 * Kills the only process on the database. Its backends may still commit its last statements, so this returns when they have ended
 * and nothing can change any more.
 */
export async function killForGood({ ctx: { db } }: World, only: ServiceProcess): Promise<void> {
  await only.stop('SIGKILL');
  await until('the killed process has backends left', async () => {
    const left = await db.many(sql`
      select from pg_stat_activity
      where datname = current_database() and application_name ~ '^linekeeper-(all|api|worker)'`);
    return left.length === 0;
  });
}
