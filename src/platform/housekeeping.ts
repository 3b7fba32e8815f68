import { Type } from 'typebox';
import { deleteAuditBefore } from './audit.ts';
import { deleteExpiredAnswers } from './http/idempotency.ts';
import { defineJob } from './jobs/job.ts';
import { deleteFinishedBefore } from './jobs/sql.ts';

const BATCH = 5_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Removes what has outlived its retention, in batches, so that no statement runs long. */
export const keepHouse = (retentionDays: { readonly audit: number; readonly jobs: number }) =>
  defineJob({
    kind: 'platform.keep-house',
    schema: Type.Object({}),
    attemptsMax: 5,
    commits: 'steps',
    everyMs: HOUR_MS,
    async run({ db, now }) {
      const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS);
      while ((await deleteAuditBefore(db, daysAgo(retentionDays.audit), BATCH)) === BATCH);
      while ((await deleteFinishedBefore(db, daysAgo(retentionDays.jobs), BATCH)) === BATCH);
      while ((await deleteExpiredAnswers(db, now(), BATCH)) === BATCH);
      return undefined;
    },
  });
