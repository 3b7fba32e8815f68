import type { FindProgress } from '../carrier-requests/index.ts';
import { findRequest } from './sql-request.ts';
import { keptSince } from './summary-request.ts';

const OPERATIONS = { bill: 'billing-summary', usage: 'usage-summary' } as const;

/** For those who ask how far a request is: it has failed when anything that it told was a failure. */
export const findBillingProgress: FindProgress = async ({ db, now }, tenant, requestId) => {
  const endedAfter = keptSince(now());
  const found = await findRequest(db, tenant, { requestId, endedAfter });
  if (found === undefined) return undefined;
  const ended = found.failed ? 'Failure' : 'Success';
  return {
    requestId: found.requestId,
    operation: OPERATIONS[found.what],
    status: found.ended ? ended : 'Pending',
  };
};
