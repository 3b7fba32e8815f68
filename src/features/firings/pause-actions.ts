import type { Ctx } from '../../platform/context/context.ts';
import { deleteActionPause, findActionPause, insertActionPause } from './sql-pause.ts';

/** From now on triggers alert, but neither close a service nor suspend nor change plans. Answers whether that is new. */
export const pauseActions = async ({ db, now }: Ctx, by: string): Promise<boolean> =>
  (await insertActionPause(db, { at: now(), by })) === 1;

/** Answers whether actions were paused. */
export const resumeActions = async ({ db }: Ctx): Promise<boolean> => (await deleteActionPause(db)) === 1;

export const areActionsPaused = async ({ db }: Ctx): Promise<boolean> =>
  (await findActionPause(db)) !== undefined;
