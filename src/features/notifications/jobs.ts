import { Type } from 'typebox';
import { defineJob } from '../../platform/jobs/job.ts';
import { definePurge } from '../../platform/jobs/purge.ts';
import { CHANNELS } from './notification.ts';
import { reportFailingListeners } from './report-failing-listeners.ts';
import { deleteOldNotifications } from './sql-notification.ts';

const BATCH = 2_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const purgeNotifications = (days: number) =>
  definePurge({
    kind: 'notifications.purge',
    batch: BATCH,
    retentions: CHANNELS.map((channel) => ({
      keptMs: days * DAY_MS,
      deleteBefore: (db, before, limit) => deleteOldNotifications(db, { channel, before, limit }),
    })),
  });

/** `days`: how long a mail is kept. */
export const checkListeners = (afterMs: number, days: number) =>
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
