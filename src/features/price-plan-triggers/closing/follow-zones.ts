import type { Ctx } from '../../../platform/context/context.ts';
import { daysIn } from '../../usage/index.ts';
import { closeAt } from './schedule.ts';
import { listOpenEnds, moveEnds } from './sql-ends.ts';

const ACCOUNTS_AT_ONCE = 1_000;

/**
 * After accounts were written, in the same transaction: a cycle that is open ends where the account is now. One that has
 * ended there already is judged at once.
 */
export async function followZones(ctx: Ctx, ecpdId: string): Promise<void> {
  const { db } = ctx;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const ends = await listOpenEnds(db, ecpdId, after, ACCOUNTS_AT_ONCE);
    const moved = ends.flatMap(({ closesAt: before, timeZone, ...end }) => {
      const closesAt = new Date(daysIn(timeZone).startOf(end.to));
      return closesAt.getTime() === before.getTime() ? [] : [{ ...end, closesAt }];
    });
    if (moved.length > 0) {
      await moveEnds(db, ecpdId, moved);
      await closeAt(
        ctx,
        ecpdId,
        moved.map(({ closesAt }) => closesAt),
      );
    }
    after = ends.at(-1)?.accountName;
  }
}
