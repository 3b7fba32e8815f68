import type { Ctx, Tenant } from '../../platform/context.ts';
import { refuse } from '../../platform/fault.ts';
import { type CarrierRequest, keptSince } from './carrier-request.ts';
import { carrierFaults } from './errors.ts';
import { findRequest } from './sql-request.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Another account's request is as unknown as one that never was. */
export async function findKnownRequest(
  { db, now }: Ctx,
  tenant: Tenant,
  requestId: string,
): Promise<CarrierRequest> {
  const found = UUID.test(requestId)
    ? await findRequest(db, tenant, { requestId, endedAfter: keptSince(now()) })
    : undefined;
  return found ?? refuse(carrierFaults.requestNotFound);
}
