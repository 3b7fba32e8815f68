import { Type } from 'typebox';
import { type Ctx, inTx } from '../../platform/context/context.ts';
import { defineJob, tenantOf } from '../../platform/jobs/job.ts';
import { definePurge } from '../../platform/jobs/purge.ts';
import { type ActingDeps, SKIPPED } from './action.ts';
import { giveUpActions, reportDropped } from './drop-actions.ts';
import { CONTINUE, lockLanes, startFree } from './lane.ts';
import { deleteOldActions, deleteOldChainLines, skipExpired } from './sql-action.ts';
import { listAccountsOfExpired, listProfilesOfExpired } from './sql-approval.ts';

const HOUR_MS = 3_600_000;
const ACCOUNTS_AT_ONCE = 500;

/** Returns whether there may be more. Approval and expiry wait for each other at the account's lane. */
const expirePage = (outer: Ctx, ecpdId: string): Promise<boolean> =>
  inTx(outer, async (ctx) => {
    const now = ctx.now();
    const accountNames = await listAccountsOfExpired(ctx.db, ecpdId, now, ACCOUNTS_AT_ONCE);
    await lockLanes(ctx, ecpdId, accountNames);
    await skipExpired(ctx.db, ecpdId, accountNames, SKIPPED.unapproved, now);
    return accountNames.length === ACCOUNTS_AT_ONCE;
  });

/** Skips actions that nobody approved before their cycle ended. */
export const expireActions = defineJob({
  kind: 'price-plan-triggers.expire-actions',
  schema: Type.Object({}),
  attemptsMax: 5,
  commits: 'steps',
  everyMs: HOUR_MS,
  async run(ctx, _payload, { signal }) {
    for (const ecpdId of await listProfilesOfExpired(ctx.db, ctx.now()))
      while (!signal.aborted && (await expirePage(ctx, ecpdId)));
    return undefined;
  },
});

/** Reports what was dropped, and starts actions for which there was no place in the transaction that made them free. */
export const continueActions = (deps: ActingDeps) =>
  defineJob({
    ...CONTINUE,
    commits: 'steps',
    async run(ctx, { accountName, actionIds }, { ecpdId, signal }) {
      const tenant = tenantOf(ecpdId, accountName);
      while (await reportDropped(ctx, tenant, actionIds, deps)) signal.throwIfAborted();
      await inTx(ctx, async (tx) => {
        for (const lane of await lockLanes(tx, ecpdId, [accountName]))
          await startFree(tx, lane, { actionIds }, deps);
      });
      return undefined;
    },
    onGivenUp: (ctx, { accountName, actionIds }, { ecpdId }) =>
      giveUpActions(ctx, tenantOf(ecpdId, accountName), actionIds),
  });

const BATCH = 500;
const DAY_MS = 24 * 3_600_000;
/** A firing and its actions are kept until its cycle is as old as required, so they may be older by one cycle. */
const CYCLE_DAYS_MAX = 31;

/** Deletes actions after the firings that caused them, together with the lines of their chains. */
export function purgeActions(keptDays: number) {
  const keptMs = (keptDays + CYCLE_DAYS_MAX) * DAY_MS;
  return definePurge({
    kind: 'price-plan-triggers.purge-actions',
    batch: BATCH,
    retentions: [
      { keptMs, deleteBefore: deleteOldActions },
      { keptMs, deleteBefore: deleteOldChainLines },
    ],
  });
}
