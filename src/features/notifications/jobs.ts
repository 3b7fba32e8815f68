import { Type } from 'typebox';
import { defineJob } from '../../platform/jobs/job.ts';
import { CHANNELS } from './notification.ts';
import { reportFailingListeners } from './report-failing-listeners.ts';
import { deleteOldNotifications } from './sql-notification.ts';

const BATCH = 2_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const purgeNotifications = (days: number) =>
  defineJob({
    kind: 'notifications.purge',
    schema: Type.Object({}),
    attemptsMax: 5,
    commits: 'steps',
    everyMs: HOUR_MS,
    async run({ db, now }) {
      const before = new Date(now().getTime() - days * DAY_MS);
      for (const channel of CHANNELS)
        while ((await deleteOldNotifications(db, { channel, before, limit: BATCH })) === BATCH);
      return undefined;
    },
  });

/** `days` are those for which a mail is kept. */
export const watchListeners = (afterMs: number, days: number) =>
  defineJob({
    kind: 'notifications.watch-listeners',
    schema: Type.Object({}),
    attemptsMax: 5,
    commits: 'steps',
    everyMs: 5 * MINUTE_MS,
    async run(ctx) {
      await reportFailingListeners(ctx, afterMs, days * DAY_MS);
      return undefined;
    },
  });
