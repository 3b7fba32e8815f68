import { Type } from 'typebox';
import { defineJob } from '../../platform/jobs/job.ts';
import { definePurge, deleteInBatches } from '../../platform/jobs/purge.ts';
import { closeCycles, type FollowFirings } from './closing/close-cycles.ts';
import { CLOSE_CYCLES, closeAt } from './closing/schedule.ts';
import { deleteDone, listProfilesWithDue } from './closing/sql-closing.ts';
import { FOLLOW_ACCOUNTS, followAccounts } from './levels/follow-accounts.ts';
import { deleteOldThrottled } from './telling/throttling/sql-throttled.ts';

export { expireActions } from './acting/expire-actions.ts';
export { purgeActions } from './acting/purge-actions.ts';
export type { FollowFirings } from './closing/close-cycles.ts';
export { remindPeople } from './telling/reminders/remind-people.ts';
export { sumUpDay } from './telling/summaries/sum-up-day.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DONE_KEPT_DAYS = 7;
/** No billing month is open for longer. */
const THROTTLED_KEPT_DAYS = 62;
const BATCH = 5_000;

/** Runs at the moment in which cycles of a profile close. */
export const closeCyclesJob = (follow: FollowFirings) =>
  defineJob({
    ...CLOSE_CYCLES,
    commits: 'steps',
    async run(ctx, _payload, { ecpdId, signal }) {
      await closeCycles(ctx, ecpdId, follow, signal);
      return undefined;
    },
  });

/** A closing whose job was given up or lost is due all the same: whoever is behind gets another one. */
export const watchClosings = defineJob({
  kind: 'price-plan-triggers.watch-closings',
  schema: Type.Object({}),
  attemptsMax: 5,
  commits: 'steps',
  everyMs: HOUR_MS,
  async run(ctx, _payload, { signal }) {
    const now = ctx.now();
    for (const ecpdId of await listProfilesWithDue(ctx.db, now)) await closeAt(ctx, ecpdId, [now]);
    const before = new Date(now.getTime() - DONE_KEPT_DAYS * DAY_MS);
    await deleteInBatches(signal, () => deleteDone(ctx.db, before, BATCH));
    return undefined;
  },
});

export const followAccountsJob = defineJob({
  ...FOLLOW_ACCOUNTS,
  commits: 'steps',
  async run(ctx, _payload, { ecpdId, signal }) {
    await followAccounts(ctx, ecpdId, signal);
    return undefined;
  },
});

export const purgeThrottled = definePurge({
  kind: 'price-plan-triggers.purge-throttled',
  batch: BATCH,
  retentions: [
    {
      keptMs: THROTTLED_KEPT_DAYS * DAY_MS,
      deleteBefore: (db, before, limit) => deleteOldThrottled(db, before.toISOString().slice(0, 10), limit),
    },
  ],
});
