import { Type } from 'typebox';
import { defineJob } from '../../platform/jobs/job.ts';
import { EXPIRED_KEPT_MS, SESSION_IDLE_MS } from './limits.ts';
import { deleteTokensBefore } from './sql-client.ts';
import { deleteFailuresBefore } from './sql-login-failure.ts';
import { deleteSessionsBefore } from './sql-user.ts';

const BATCH = 5_000;
const HOUR_MS = 3_600_000;

/** Forgets tokens and sessions that ended a day ago, so that the tables stay as small as what lives. */
export const forgetOldSessions = defineJob({
  kind: 'sessions.forget-old',
  schema: Type.Object({}),
  attemptsMax: 5,
  commits: 'steps',
  everyMs: HOUR_MS,
  async run({ db, now }) {
    const before = new Date(now().getTime() - EXPIRED_KEPT_MS - SESSION_IDLE_MS);
    for (const forget of [deleteSessionsBefore, deleteTokensBefore, deleteFailuresBefore]) {
      while ((await forget(db, before, BATCH)) === BATCH);
    }
    return undefined;
  },
});
