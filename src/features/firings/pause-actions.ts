import type { Ctx } from '../../platform/context/context.ts';
import { sql } from '../../platform/db/sql.ts';

/**
 * From now on triggers only notify: they close no service, suspend no line and change no plan. Returns whether this is
 * new: a second pause keeps the author and time of the first.
 */
export const pauseActions = async ({ db, now }: Ctx, by: string): Promise<boolean> =>
  (await db.exec(
    sql`insert into action_pause (paused_at, paused_by) values (${now()}, ${by}) on conflict do nothing`,
  )) === 1;

/** Returns whether actions were paused. */
export const resumeActions = async ({ db }: Ctx): Promise<boolean> =>
  (await db.exec(sql`delete from action_pause`)) === 1;

export const areActionsPaused = async ({ db }: Ctx): Promise<boolean> =>
  (await db.maybe(sql`select paused_at from action_pause`)) !== undefined;
