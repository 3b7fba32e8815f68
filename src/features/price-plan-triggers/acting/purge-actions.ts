import { Type } from 'typebox';
import { defineJob } from '../../../platform/jobs/job.ts';
import { deleteOldActions } from './sql-action.ts';

const BATCH = 500;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A firing stays until its cycle is as old as it must be, and so does what it did. */
const CYCLE_DAYS_MAX = 31;

/** Actions go after the firings that asked for them. */
export const purgeActions = (keptDays: number) =>
  defineJob({
    kind: 'price-plan-triggers.purge-actions',
    schema: Type.Object({}),
    attemptsMax: 5,
    commits: 'steps',
    everyMs: HOUR_MS,
    async run({ db, now }, _payload, { signal }) {
      const before = new Date(now().getTime() - (keptDays + CYCLE_DAYS_MAX) * DAY_MS);
      while (!signal.aborted && (await deleteOldActions(db, before, BATCH)) > 0);
      return undefined;
    },
  });
