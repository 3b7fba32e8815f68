import { Type } from 'typebox';
import { defineJob } from '../../platform/jobs/job.ts';
import { deleteOldFirings } from './sql.ts';

const BATCH = 5_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Firings go with the usage that caused them. */
export const purgeFirings = (keptDays: number) =>
  defineJob({
    kind: 'firings.purge',
    schema: Type.Object({}),
    attemptsMax: 5,
    commits: 'steps',
    everyMs: HOUR_MS,
    async run({ db, now }, _payload, { signal }) {
      const before = new Date(now().getTime() - keptDays * DAY_MS);
      while (!signal.aborted && (await deleteOldFirings(db, before, BATCH)) > 0);
      return undefined;
    },
  });
