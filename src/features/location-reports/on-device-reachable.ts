import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import type { JobKind } from '../../platform/jobs/job.ts';
import type { RelocatePayload } from './schemas.ts';
import { isAwaited } from './sql-awaited.ts';
import { hasOpenLocationRequests } from './sql-request.ts';

/** By then the network's answer has been written of a device that was just being asked for. */
const ANSWERED_MS = 60_000;

/** Call it in the transaction in which the device became reachable: what waits for it is located soon. */
export async function deviceBecameReachable(
  ctx: Ctx,
  tenant: Tenant,
  deviceId: string,
  relocate: JobKind<typeof RelocatePayload>,
): Promise<void> {
  const { ecpdId, accountName } = tenant;
  const payload = { accountName, deviceIds: [deviceId] };
  // Asked first: where nothing is under way any more, all that waits for the device can be seen.
  const isUnderWay = await hasOpenLocationRequests(ctx.db, tenant);
  const jobs = [
    ...((await isAwaited(ctx.db, ecpdId, deviceId)) ? [{ payload }] : []),
    // The network may have answered a moment ago that it cannot be reached, and nobody written it down yet.
    ...(isUnderWay ? [{ payload, dueAt: new Date(ctx.now().getTime() + ANSWERED_MS) }] : []),
  ];
  if (jobs.length > 0) await enqueueJobs(ctx, relocate, ecpdId, jobs);
}
