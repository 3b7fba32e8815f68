import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { keptSince } from '../../platform/flow-control/open-requests.ts';
import { listLines } from './sql-device.ts';
import { findRequest } from './sql-request.ts';

/** The progress of a request, and a page of its lines. Undefined if the account has no such request. */
export async function getLines(
  { db, now }: Ctx,
  tenant: Tenant,
  requestId: string,
  asked: Parameters<typeof listLines>[3],
) {
  const found = await findRequest(db, tenant, { requestId, endedAfter: keptSince(now()) });
  return found && { request: found, lines: await listLines(db, tenant, { ...found, requestId }, asked) };
}
