import type { Ctx } from '../../platform/context/context.ts';
import { sql } from '../../platform/db/sql.ts';

/**
 * From now on triggers alert, but neither close a service nor suspend nor change plans. Answers whether that is new: pausing twice
 * keeps who did it first, and when.
 */
export const pauseActions = async ({ db, now }: Ctx, by: string): Promise<boolean> =>
  (await db.exec(
    sql`insert into action_pause (paused_at, paused_by) values (${now()}, ${by}) on conflict do nothing`,
  )) === 1;

/** Answers whether actions were paused. */
export const resumeActions = async ({ db }: Ctx): Promise<boolean> =>
  (await db.exec(sql`delete from action_pause`)) === 1;

export const areActionsPaused = async ({ db }: Ctx): Promise<boolean> =>
  (await db.maybe(sql`select paused_at from action_pause`)) !== undefined;
