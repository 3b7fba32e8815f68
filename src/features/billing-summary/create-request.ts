import { type Ctx, inTx, type Tenant } from '../../platform/context.ts';
import { refuse } from '../../platform/fault.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import type { JobKind } from '../../platform/jobs/job.ts';
import { billingFaults } from './errors.ts';
import type { WorkPayload } from './schemas.ts';
import { countOpen, insertRequest } from './sql-request.ts';
import { type Asked, BEGINNING, OPEN_MAX } from './summary-request.ts';

/** Takes a request that callbacks will answer: it and its job exist together. */
export const createRequest = (
  outer: Ctx,
  tenant: Tenant,
  asked: Asked,
  workJob: JobKind<typeof WorkPayload>,
): Promise<{ readonly requestId: string }> =>
  inTx(outer, async (ctx) => {
    if ((await countOpen(ctx.db, tenant, OPEN_MAX)) >= OPEN_MAX)
      refuse(billingFaults.tooManyRequests, { headers: { 'retry-after': '30' } });
    const requestId = ctx.newId();
    await insertRequest(ctx.db, tenant, { requestId, asked }, ctx.now());
    const payload = { accountName: tenant.accountName, requestId, ...BEGINNING };
    await enqueueJobs(ctx, workJob, tenant.ecpdId, [{ payload }]);
    return { requestId };
  });
