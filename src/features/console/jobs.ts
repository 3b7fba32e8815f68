import { Type } from 'typebox';
import { realClock } from '../../platform/clock.ts';
import { defineJob } from '../../platform/jobs/job.ts';
import { LIFE_MS } from './limits.ts';
import { deleteSessionsBefore } from './session/sql-session.ts';

const BATCH = 5_000;
const HOUR_MS = 3_600_000;

export const forgetConsoleSessions = defineJob({
  kind: 'console.forget-sessions',
  schema: Type.Object({}),
  attemptsMax: 5,
  commits: 'steps',
  everyMs: HOUR_MS,
  async run({ db }) {
    const before = new Date(realClock.now().getTime() - LIFE_MS);
    while ((await deleteSessionsBefore(db, before, BATCH)) === BATCH);
    return undefined;
  },
});
