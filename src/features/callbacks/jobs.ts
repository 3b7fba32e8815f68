import { Type } from 'typebox';
import { defineJob } from '../../platform/jobs/job.ts';
import { type PurgeCursor, purgeOldMessages } from './sql-purge.ts';

const BATCH = 2_000;
const HOUR_MS = 3_600_000;
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
      let after: PurgeCursor | undefined;
      do after = await purgeOldMessages(db, { ...bounds, after });
      while (after !== undefined && !signal.aborted);
      return undefined;
    },
  });
