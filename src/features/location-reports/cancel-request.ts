import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { locationFaults } from '../locations/index.ts';
import type { AnsweredBy } from './location-request.ts';
import { findKnownRequest } from './read-report.ts';
import { cancelEntries } from './sql-entry.ts';
import { cancelRequest as setCancelled } from './sql-request.ts';

/** Only while no device was asked for; the one statement decides, whoever starts to work at the same moment. */
export async function cancelRequest(
  ctx: Ctx,
  tenant: Tenant,
  txid: string,
  answeredBy: AnsweredBy,
): Promise<string> {
  const request = await findKnownRequest(ctx, tenant, txid, answeredBy);
  await inTx(ctx, async ({ db, now }) => {
    const at = now();
    if (!(await setCancelled(db, tenant, request.txid, at))) refuse(locationFaults.unableToCancel);
    await cancelEntries(db, tenant, request.txid, at);
  });
  return request.txid;
}
