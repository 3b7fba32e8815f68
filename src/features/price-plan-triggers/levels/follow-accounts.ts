import { Type } from 'typebox';
import { type Ctx, inTx } from '../../../platform/context/context.ts';
import { enqueueJobs } from '../../../platform/jobs/enqueue.ts';
import { listTriggersById } from '../sql-list.ts';
import { refreshLevels } from './refresh-levels.ts';
import { listTriggerIds } from './sql-levels.ts';

export const FOLLOW_ACCOUNTS = {
  kind: 'price-plan-triggers.follow-accounts',
  schema: Type.Object({}),
  attemptsMax: 20,
} as const;

/**
 * After an account was deleted: what had its cycles goes on with those of the next one. After its cycles were moved: what
 * is beyond its levels by that is found. Not in the same transaction, which holds the account and must not wait for others.
 * One that is under way already may have looked too early: whoever comes later has a job of their own.
 */
export const followAccountsLater = (ctx: Ctx, ecpdId: string) =>
  enqueueJobs(ctx, FOLLOW_ACCOUNTS, ecpdId, [{ payload: {}, key: ctx.now().toISOString() }]);

const PAGE = 100;

const versionsOf = async ({ db }: Ctx, ecpdId: string, triggerIds: readonly string[]): Promise<string> =>
  (await listTriggersById(db, ecpdId, triggerIds))
    .map(({ triggerId, version }) => `${triggerId} ${version}`)
    .sort()
    .join();

export async function followAccounts(ctx: Ctx, ecpdId: string, signal: AbortSignal): Promise<void> {
  const all = await listTriggerIds(ctx.db, ecpdId);
  for (let from = 0; from < all.length; from += PAGE) {
    // Handed back it begins again; one that returned would be done, without the rest.
    signal.throwIfAborted();
    const page = all.slice(from, from + PAGE);
    await inTx(ctx, async (inner) => {
      const before = await versionsOf(inner, ecpdId, page);
      await refreshLevels(inner, ecpdId, page);
      // Whoever changes one now waits for the accounts that are held; who was before wrote what must not be undone.
      if ((await versionsOf(inner, ecpdId, page)) !== before)
        throw new Error('a trigger was changed while its levels were written');
    });
  }
}
