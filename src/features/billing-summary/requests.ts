import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { refuseBeyond } from '../../platform/flow-control/open-requests.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import type { FindProgress } from '../carrier-requests/index.ts';
import { billingFaults } from './errors.ts';
import { answerRequest } from './jobs.ts';
import { countOpen, findRequest, insertRequest } from './sql-request.ts';
import { type Asked, BEGINNING, keptSince, OPEN_MAX } from './summary-request.ts';

/** Accepts a request that callbacks will answer. It is created together with its job. */
export const createRequest = (
  outer: Ctx,
  tenant: Tenant,
  asked: Asked,
): Promise<{ readonly requestId: string }> =>
  inTx(outer, async (ctx) => {
    await refuseBeyond(OPEN_MAX, (max) => countOpen(ctx.db, tenant, max), billingFaults.tooManyRequests);
    const requestId = ctx.newId();
    await insertRequest(ctx.db, tenant, { requestId, asked }, ctx.now());
    const payload = { accountName: tenant.accountName, requestId, ...BEGINNING };
    await enqueueJobs(ctx, answerRequest, tenant.ecpdId, [{ payload }]);
    return { requestId };
  });

const OPERATIONS = { bill: 'billing-summary', usage: 'usage-summary' } as const;

/** The progress of a request. It has failed if any of its messages was a failure. */
export const findBillingProgress: FindProgress = async ({ db, now }, tenant, requestId) => {
  const found = await findRequest(db, tenant, { requestId, endedAfter: keptSince(now()) });
  if (found === undefined) return undefined;
  const ended = found.failed ? 'Failure' : 'Success';
  const status = found.ended ? ended : 'Pending';
  return { requestId: found.requestId, operation: OPERATIONS[found.what], status };
};
