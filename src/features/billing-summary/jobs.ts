import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import { defineJob, type JobKind, tenantOf } from '../../platform/jobs/job.ts';
import { definePurge } from '../../platform/jobs/purge.ts';
import { WorkPayload } from './schemas.ts';
import { deleteExpired } from './sql-request.ts';
import { KEPT_MS } from './summary-request.ts';
import { giveUpRequest, workChunk } from './work-request.ts';

const EXPIRED_PER_BATCH = 1_000;

/** One step of a request. Its messages, its end and the job of the next step commit together, so a crash repeats none. */
export const answerRequest: JobKind<typeof WorkPayload> = defineJob({
  kind: 'billing-summary.answer',
  schema: WorkPayload,
  attemptsMax: 8,
  commits: 'transaction',
  async run(ctx, { accountName, requestId, ...cursor }, { ecpdId }) {
    const next = await workChunk(ctx, tenantOf(ecpdId, accountName), requestId, cursor);
    if (next !== undefined)
      await enqueueJobs(ctx, answerRequest, ecpdId, [{ payload: { accountName, requestId, ...next } }]);
    return undefined;
  },
  onGivenUp: (ctx, { accountName, requestId }, { ecpdId }) =>
    giveUpRequest(ctx, tenantOf(ecpdId, accountName), requestId),
});

export const purgeSummaries = definePurge({
  kind: 'billing-summary.purge',
  batch: EXPIRED_PER_BATCH,
  retentions: [{ keptMs: KEPT_MS, deleteBefore: deleteExpired }],
});
