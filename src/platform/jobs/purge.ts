import { Type } from 'typebox';
import { deleteAuditBefore } from '../context/audit.ts';
import type { Db } from '../db/db.ts';
import { deleteExpiredAnswers } from '../http/idempotency.ts';
import { defineJob } from './job.ts';
import { deleteFinishedBefore } from './sql.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * In batches, so that no statement runs long, until nothing is left. Throws when it is told to stop: handed back it goes on
 * soon, while a job that returns is done, and comes again in its time.
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
  /** Answers how many it deleted, none when nothing is left. */
  readonly deleteBefore: (db: Db, before: Date, limit: number) => Promise<number>;
}

interface PurgeOptions {
  readonly kind: string;
  readonly batch: number;
  readonly retentions: readonly Retention[];
  /** For what lives in real time; domain time otherwise. */
  readonly now?: () => Date;
}

/** Removes, every hour, what has been kept for long enough. */
export const definePurge = ({ kind, batch, retentions, now }: PurgeOptions) =>
  defineJob({
    kind,
    schema: Type.Object({}),
    attemptsMax: 5,
    commits: 'steps',
    everyMs: HOUR_MS,
    async run(ctx, _payload, { signal }) {
      const nowMs = (now ?? ctx.now)().getTime();
      for (const { keptMs, deleteBefore } of retentions) {
        const before = new Date(nowMs - keptMs);
        await deleteInBatches(signal, () => deleteBefore(ctx.db, before, batch));
      }
      return undefined;
    },
  });

/** Removes what has outlived its retention; an answer that is kept says itself until when. */
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
