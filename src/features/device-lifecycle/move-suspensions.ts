import type { Ctx } from '../../platform/context/context.ts';
import type { Move } from '../devices/index.ts';
import { followAt } from './jobs.ts';
import { moveSuspensions } from './sql-suspension.ts';

/** A line that is suspended is so in its new account, and for no longer. */
export async function moveOpenSuspensions(tx: Ctx, move: Move): Promise<void> {
  const times = (await moveSuspensions(tx.db, move)).flatMap(({ noticeAt, resumesAt }) => [
    noticeAt,
    resumesAt,
  ]);
  if (times.length > 0) await followAt(tx, move.to, times);
}
