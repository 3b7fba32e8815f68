import { Type } from 'typebox';
import { defineJob } from '../../platform/jobs/job.ts';
import { definePurge } from '../../platform/jobs/purge.ts';
import { deleteOldAlerts } from './sql-alert.ts';
import { eraseValues, listKeptReadings } from './sql-reading.ts';

const BATCH = 5_000;
const DAY_MS = 24 * 3_600_000;

/** Deletes alerts this long after they were cleared; open alerts stay. */
export const purgeSmartAlerts = (keptDays: number) =>
  definePurge({
    kind: 'smart-alerts.purge',
    batch: BATCH,
    retentions: [{ keptMs: keptDays * DAY_MS, deleteBefore: deleteOldAlerts }],
  });

/**
 * Erases the values of devices without a reading for this long. The row stays as long as its device: it is the lock
 * for the device's rules, and its time decides absence and late readings. The job scans all rows page by page in key
 * order, because an index by time would have to be written with every reading.
 */
export const forgetReadings = (keptDays: number) =>
  defineJob({
    kind: 'smart-alerts.forget-readings',
    schema: Type.Object({}),
    attemptsMax: 5,
    commits: 'steps',
    everyMs: DAY_MS,
    async run({ db, now }, _payload, { signal }) {
      const before = new Date(now().getTime() - keptDays * DAY_MS);
      let page = await listKeptReadings(db, before, { after: undefined, limit: BATCH });
      while (page.length > 0) {
        // Throwing hands the job back to continue soon; a job that returns is done for a day.
        signal.throwIfAborted();
        const old = page.filter(({ isOld }) => isOld);
        for (const [ecpdId, some] of Map.groupBy(old, (row) => row.ecpdId))
          await eraseValues(
            db,
            ecpdId,
            some.map(({ deviceId }) => deviceId),
            before,
          );
        page =
          page.length < BATCH ? [] : await listKeptReadings(db, before, { after: page.at(-1), limit: BATCH });
      }
      return undefined;
    },
  });
