import type { Ctx, Tenant } from '../../platform/context.ts';
import { refuse } from '../../platform/fault.ts';
import { locationFaults } from '../locations/index.ts';
import type { AnsweredBy } from './location-request.ts';
import { findKnownRequest } from './read-report.ts';
import { cancelRequest as setCancelled } from './sql-request.ts';

/** Only while no device was asked for; the one statement decides, whoever starts to work at the same moment. */
export async function cancelRequest(
  ctx: Ctx,
  tenant: Tenant,
  txid: string,
  answeredBy: AnsweredBy,
): Promise<string> {
  const request = await findKnownRequest(ctx, tenant, txid, answeredBy);
  if (!(await setCancelled(ctx.db, tenant, request.txid, ctx.now()))) refuse(locationFaults.unableToCancel);
  return request.txid;
}
