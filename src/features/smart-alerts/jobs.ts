import { Type } from 'typebox';
import { defineJob } from '../../platform/jobs/job.ts';
import { definePurge } from '../../platform/jobs/purge.ts';
import { deleteOldAlerts } from './sql-alert.ts';
import { eraseValues, listKeptReadings } from './sql-reading.ts';

const BATCH = 5_000;
const DAY_MS = 24 * 3_600_000;

/** Alerts go when they have been cleared for so long; one that is open stays. */
export const purgeSmartAlerts = (keptDays: number) =>
  definePurge({
    kind: 'smart-alerts.purge',
    batch: BATCH,
    retentions: [{ keptMs: keptDays * DAY_MS, deleteBefore: deleteOldAlerts }],
  });

/**
 * What a device has told is forgotten when it has told nothing for so long. The row stays, as long as its device: by it rules
 * of the device are held, and absence and late readings are judged by its moment. All rows are looked at, page by page in the
 * order of their keys: an index by moment would have to be written with every reading.
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
        // Handed back it goes on soon; what returns is done, and comes again in a day.
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
