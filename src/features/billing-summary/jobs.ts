import { Type } from 'typebox';
import { isAccountName, isEcpdId } from '../../kernel/account-name.ts';
import type { Tenant } from '../../platform/context.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import { defineJob, type JobKind } from '../../platform/jobs/job.ts';
import { WorkPayload } from './schemas.ts';
import { deleteExpired } from './sql-request.ts';
import { KEPT_MS } from './summary-request.ts';
import { giveUpRequest, workChunk } from './work-request.ts';

const HOUR_MS = 3_600_000;
const EXPIRED_PER_BATCH = 1_000;

function tenantOf(ecpdId: string, accountName: string): Tenant {
  if (!isEcpdId(ecpdId) || !isAccountName(accountName)) throw new Error('the job names no account');
  return { ecpdId, accountName };
}

/** A step of a request. Its messages, its end and the job of the next step commit together: a crash repeats none. */
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

export const purgeSummaries = defineJob({
  kind: 'billing-summary.purge',
  schema: Type.Object({}),
  attemptsMax: 5,
  commits: 'steps',
  everyMs: HOUR_MS,
  async run({ db, now }, _payload, { signal }) {
    const endedBefore = new Date(now().getTime() - KEPT_MS);
    while (!signal.aborted && (await deleteExpired(db, endedBefore, EXPIRED_PER_BATCH)) > 0);
    return undefined;
  },
});
