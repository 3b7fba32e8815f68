import { Type } from 'typebox';
import { defineJob } from '../../platform/jobs/job.ts';
import { deleteOldMessages } from './sql-log.ts';

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
    async run({ db, now }) {
      const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS);
      const bounds = {
        deliveredBefore: daysAgo(deliveredDays),
        failedBefore: daysAgo(ARCHIVE_DAYS),
        limit: BATCH,
      };
      while ((await deleteOldMessages(db, bounds)) === BATCH);
      return undefined;
    },
  });
