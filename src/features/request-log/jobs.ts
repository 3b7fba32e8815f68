import { realClock } from '../../platform/clock/clock.ts';
import { firstOrderedIdAt } from '../../platform/db/ordered-ids.ts';
import { definePurge } from '../../platform/jobs/purge.ts';
import { deleteOld } from './sql-call.ts';
import { deleteEndedRecordings } from './sql-recording.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * The log is cut to its length as it grows. Outside the sandbox, where it grows only now and then, calls are also deleted by
 * their real age. Calls of deleted accounts are always deleted.
 */
export const purgeRequestLog = (keptDays = Number.POSITIVE_INFINITY) =>
  definePurge({
    kind: 'request-log.purge',
    batch: 1_000,
    now: realClock.now,
    retentions: [
      {
        keptMs: 0,
        deleteBefore: (db, now, limit) =>
          deleteOld(db, firstOrderedIdAt(new Date(Math.max(0, now.getTime() - keptDays * DAY_MS))), limit),
      },
      { keptMs: 0, deleteBefore: deleteEndedRecordings },
    ],
  });
