import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';

/** Pausing twice keeps who did it first, and when. */
export const insertActionPause = (db: Db, { at, by }: { at: Date; by: string }) =>
  db.exec(sql`insert into action_pause (paused_at, paused_by) values (${at}, ${by}) on conflict do nothing`);

export const deleteActionPause = (db: Db) => db.exec(sql`delete from action_pause`);

export const findActionPause = (db: Db) =>
  db.maybe<{ pausedAt: Date; pausedBy: string }>(
    sql`select paused_at as "pausedAt", paused_by as "pausedBy" from action_pause`,
  );
