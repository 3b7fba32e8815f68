import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { refuseBeyond } from '../../platform/flow-control/open-requests.ts';
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
    await refuseBeyond(OPEN_MAX, (max) => countOpen(ctx.db, tenant, max), billingFaults.tooManyRequests);
    const requestId = ctx.newId();
    await insertRequest(ctx.db, tenant, { requestId, asked }, ctx.now());
    const payload = { accountName: tenant.accountName, requestId, ...BEGINNING };
    await enqueueJobs(ctx, workJob, tenant.ecpdId, [{ payload }]);
    return { requestId };
  });
