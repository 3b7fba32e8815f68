import { Type } from 'typebox';
import { defineJob } from '../../platform/jobs/job.ts';
import { deleteOldPositions } from './sql-position.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BATCH = 5_000;

export const purgePositions = (keptDays: number) =>
  defineJob({
    kind: 'locations.purge',
    schema: Type.Object({}),
    attemptsMax: 5,
    commits: 'steps',
    everyMs: HOUR_MS,
    async run({ db, now }, _payload, { signal }) {
      const before = new Date(now().getTime() - keptDays * DAY_MS);
      while (!signal.aborted && (await deleteOldPositions(db, before, BATCH)) > 0);
      return undefined;
    },
  });
