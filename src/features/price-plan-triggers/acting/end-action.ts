import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { type EndedRequest, listFailures } from '../../carrier-requests/index.ts';
import type { ActingDeps } from './action.ts';
import { lockLanes, startNext } from './lane.ts';
import { countRequest, findActionOf } from './sql-action.ts';
import { markFailures } from './sql-asked.ts';

/** In the transaction in which a request ended: if it was an action's, what became of it is kept, and the next begins. */
export async function endAction(
  tx: Ctx,
  tenant: Tenant,
  { requestId, succeeded, failed }: EndedRequest,
  deps: ActingDeps,
): Promise<void> {
  const { db } = tx;
  const action = await findActionOf(db, tenant, requestId);
  if (action === undefined) return;
  await lockLanes(tx, tenant.ecpdId, [tenant.accountName]);
  const failures = failed === 0 ? [] : await listFailures(db, tenant, requestId);
  await markFailures(db, tenant, action.actionId, failures);
  const counts = { succeeded, failed, reason: failures[0]?.reason, now: tx.now() };
  if (await countRequest(db, tenant, action.actionId, counts)) await startNext(tx, tenant, deps);
}
