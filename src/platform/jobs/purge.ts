import { Type } from 'typebox';
import { deleteAuditBefore } from '../context/audit.ts';
import type { Db } from '../db/db.ts';
import { deleteExpiredAnswers } from '../http/idempotency.ts';
import { defineJob } from './job.ts';
import { deleteFinishedBefore } from './sql.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Deletes in batches, so that no statement runs long. Throws when the signal aborts: the job is then handed back and
 * continues soon. If it returned, the job would be done, and continue only at its next time.
 */
export async function deleteInBatches(
  signal: AbortSignal,
  deleteBatch: () => Promise<number>,
): Promise<void> {
  do signal.throwIfAborted();
  while ((await deleteBatch()) > 0);
}

interface Retention {
  readonly keptMs: number;
  /** Returns how many rows it deleted; 0 when nothing is left. */
  readonly deleteBefore: (db: Db, before: Date, limit: number) => Promise<number>;
}

interface PurgeOptions {
  readonly kind: string;
  readonly batch: number;
  readonly retentions: readonly Retention[];
  /** For rows that expire in real time; the default is domain time. */
  readonly now?: () => Date;
}

/** Defines a job that deletes expired rows every hour. */
export const definePurge = ({ kind, batch, retentions, now }: PurgeOptions) =>
  defineJob({
    kind,
    schema: Type.Object({}),
    attemptsMax: 5,
    commits: 'steps',
    everyMs: HOUR_MS,
    isPurge: true,
    async run(ctx, _payload, { signal }) {
      const nowMs = (now ?? ctx.now)().getTime();
      for (const { keptMs, deleteBefore } of retentions) {
        const before = new Date(nowMs - keptMs);
        await deleteInBatches(signal, () => deleteBefore(ctx.db, before, batch));
      }
      return undefined;
    },
  });

/** Deletes rows after their retention time; a stored answer has its own expiry time. */
export const keepHouse = (retentionDays: { readonly audit: number; readonly jobs: number }) =>
  definePurge({
    kind: 'platform.keep-house',
    batch: 5_000,
    retentions: [
      { keptMs: retentionDays.audit * DAY_MS, deleteBefore: deleteAuditBefore },
      { keptMs: retentionDays.jobs * DAY_MS, deleteBefore: deleteFinishedBefore },
      { keptMs: 0, deleteBefore: deleteExpiredAnswers },
    ],
  });
