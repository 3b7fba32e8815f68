import { Type } from 'typebox';
import { defineJob } from '../../platform/jobs/job.ts';
import { listLanesWithoutListener } from './delivery/sql-lane.ts';
import { resealListeners as reseal } from './listeners/reseal-listeners.ts';
import { deletePendingWithoutListener } from './messages/sql-message.ts';
import { type PurgeCursor, purgeOldMessages } from './messages/sql-purge.ts';

const BATCH = 2_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Failed messages can be re-sent for this long. */
const ARCHIVE_DAYS = 30;

export const purgeCallbacks = (deliveredDays: number) =>
  defineJob({
    kind: 'callbacks.purge',
    schema: Type.Object({}),
    attemptsMax: 5,
    commits: 'steps',
    everyMs: HOUR_MS,
    async run({ db, now }, _, { signal }) {
      const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS);
      const bounds = {
        deliveredBefore: daysAgo(deliveredDays),
        failedBefore: daysAgo(ARCHIVE_DAYS),
        limit: BATCH,
      };
      for (const lane of await listLanesWithoutListener(db, BATCH))
        if (!signal.aborted) await deletePendingWithoutListener(db, lane);
      let after: PurgeCursor | undefined;
      do after = await purgeOldMessages(db, { ...bounds, after });
      while (after !== undefined && !signal.aborted);
      return undefined;
    },
  });

/** Once a new key is listed first, the one before it can be dropped after one run of this job. */
export const resealListeners = defineJob({
  kind: 'callbacks.reseal',
  schema: Type.Object({}),
  attemptsMax: 5,
  commits: 'steps',
  everyMs: 10 * MINUTE_MS,
  async run(ctx, _, { signal }) {
    await reseal(ctx, signal);
    return undefined;
  },
});
