import { deleteAuditBefore } from '../context/audit.ts';
import { deleteExpiredAnswers } from '../http/idempotency.ts';
import { definePurge } from './purge.ts';
import { deleteFinishedBefore } from './sql.ts';

const BATCH = 5_000;
const DAY_MS = 24 * 3_600_000;

/** Removes what has outlived its retention; an answer that is kept says itself until when. */
export const keepHouse = (retentionDays: { readonly audit: number; readonly jobs: number }) =>
  definePurge({
    kind: 'platform.keep-house',
    batch: BATCH,
    retentions: [
      { keptMs: retentionDays.audit * DAY_MS, deleteBefore: deleteAuditBefore },
      { keptMs: retentionDays.jobs * DAY_MS, deleteBefore: deleteFinishedBefore },
      { keptMs: 0, deleteBefore: deleteExpiredAnswers },
    ],
  });
