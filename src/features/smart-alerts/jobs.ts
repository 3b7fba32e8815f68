import { Type } from 'typebox';
import { defineJob } from '../../platform/jobs/job.ts';
import { deleteOldAlerts } from './alerts/sql-alert.ts';

const BATCH = 5_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Alerts go when they have been cleared for so long; one that is open stays. */
export const purgeSmartAlerts = (keptDays: number) =>
  defineJob({
    kind: 'smart-alerts.purge',
    schema: Type.Object({}),
    attemptsMax: 5,
    commits: 'steps',
    everyMs: HOUR_MS,
    async run({ db, now }, _payload, { signal }) {
      const before = new Date(now().getTime() - keptDays * DAY_MS);
      while (!signal.aborted && (await deleteOldAlerts(db, before, BATCH)) > 0);
      return undefined;
    },
  });
