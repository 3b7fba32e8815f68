import type { Ctx, Tenant } from '../../platform/context.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import type { JobKind } from '../../platform/jobs/job.ts';
import type { RelocatePayload } from './schemas.ts';
import { isAwaited } from './sql-absent.ts';

/** Call it in the transaction in which the device became reachable: what waits for it is located soon. */
export async function deviceBecameReachable(
  ctx: Ctx,
  { ecpdId, accountName }: Tenant,
  deviceId: string,
  relocate: JobKind<typeof RelocatePayload>,
): Promise<void> {
  if (!(await isAwaited(ctx.db, ecpdId, deviceId))) return;
  await enqueueJobs(ctx, relocate, ecpdId, [{ payload: { accountName, deviceIds: [deviceId] } }]);
}
