import { definePurge } from '../../platform/jobs/purge.ts';
import { EXPIRED_KEPT_MS, SESSION_IDLE_MS } from './limits.ts';
import { deleteTokensBefore } from './sql-client.ts';
import { deleteFailuresBefore } from './sql-login-failure.ts';
import { deleteSessionsBefore } from './sql-user.ts';

const BATCH = 5_000;

/** Deletes tokens and sessions that ended a day ago, to keep the tables small. */
export const forgetOldSessions = definePurge({
  kind: 'sessions.forget-old',
  batch: BATCH,
  retentions: [deleteSessionsBefore, deleteTokensBefore, deleteFailuresBefore].map((deleteBefore) => ({
    keptMs: EXPIRED_KEPT_MS + SESSION_IDLE_MS,
    deleteBefore,
  })),
});
