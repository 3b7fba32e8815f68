import { isUuid } from '../../kernel/uuid.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { keptSince } from '../../platform/flow-control/open-requests.ts';
import { countUnfollowed } from '../network/index.ts';
import type { RequestProgress } from './carrier-operation.ts';
import { carrierFaults } from './errors.ts';
import { findRequest } from './sql-request.ts';

/** Finds a request of an account by its id. Features that return such ids provide one, and `app` passes them in. */
export type FindProgress = (
  ctx: Ctx,
  tenant: Tenant,
  requestId: string,
) => Promise<RequestProgress | undefined>;

const findCarrierProgress: FindProgress = async ({ db, now }, tenant, requestId) => {
  const found = await findRequest(db, tenant, { requestId, endedAfter: keptSince(now()) });
  if (found === undefined) return undefined;
  const { operation, status, deviceCount, succeeded, failed } = found;
  const unfollowed = await countUnfollowed(db, tenant.ecpdId, requestId);
  const devices = { requested: deviceCount, succeeded, failed, unfollowed };
  return { requestId: found.requestId, operation, status, devices };
};

/** Answers a request of another account like one that never existed. */
export async function getProgress(
  ctx: Ctx,
  tenant: Tenant,
  requestId: string,
  finders: readonly FindProgress[],
): Promise<RequestProgress> {
  if (isUuid(requestId))
    for (const find of [findCarrierProgress, ...finders]) {
      const found = await find(ctx, tenant, requestId);
      if (found !== undefined) return found;
    }
  return refuse(carrierFaults.requestNotFound);
}
