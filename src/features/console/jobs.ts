import { realClock } from '../../platform/clock/clock.ts';
import { definePurge } from '../../platform/jobs/purge.ts';
import { LIFE_MS } from './session/cookie.ts';
import { deleteSessionsBefore } from './session/sql-session.ts';

const BATCH = 5_000;

export const forgetConsoleSessions = definePurge({
  kind: 'console.forget-sessions',
  batch: BATCH,
  now: realClock.now,
  retentions: [{ keptMs: LIFE_MS, deleteBefore: deleteSessionsBefore }],
});
