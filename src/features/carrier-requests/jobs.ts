import { KEPT_MS } from '../../platform/flow-control/open-requests.ts';
import { defineJob, tenantOf } from '../../platform/jobs/job.ts';
import { definePurge } from '../../platform/jobs/purge.ts';
import { type CarrierOperation, REQUEST_LIMITS, type Workings } from './carrier-operation.ts';
import type { WorkJob } from './create-request.ts';
import { WorkPayload } from './schemas.ts';
import { CONFIRM, giveUpHeld, settleHeld } from './settle-held.ts';
import { deleteExpired } from './sql-request.ts';
import { giveUpRequest, workChunk } from './work-request.ts';

/** After this many chunks other requests get their share: a long request does not delay a short one. */
const CHUNKS_PER_RUN = 4;
const EXPIRED_PER_BATCH = 20;

/** `operations` are all that requests can ask for, and `onSettled` are called when lines are settled; `app` knows both. */
export function workingsOf(
  operations: readonly CarrierOperation[],
  { onSettled = [], limits = REQUEST_LIMITS, network }: Partial<Omit<Workings, 'operations'>> = {},
): Workings {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  if (byName.size < operations.length) throw new Error('two operations have the same name');
  return { operations: byName, onSettled, limits, network };
}

export function workJob(workings: Workings): WorkJob {
  const job = defineJob({
    kind: 'carrier-requests.work',
    schema: WorkPayload,
    attemptsMax: 8,
    commits: 'steps',
    async run(ctx, { accountName, requestId }, { ecpdId, signal }) {
      const tenant = tenantOf(ecpdId, accountName);
      for (let n = 0; n < CHUNKS_PER_RUN; n++) {
        signal.throwIfAborted();
        if (await workChunk(ctx, tenant, requestId, workings)) return undefined;
      }
      return { againAt: ctx.now() };
    },
    onGivenUp: (ctx, { accountName, requestId }, { ecpdId }) =>
      giveUpRequest(ctx, tenantOf(ecpdId, accountName), requestId, workings),
  });
  return { ...job, devicesMax: workings.limits.devicesMax };
}

/** Settles the devices that waited for the network. */
export const confirmJob = (workings: Workings) =>
  defineJob({
    ...CONFIRM,
    commits: 'steps',
    async run(ctx, { accountName, ...held }, { ecpdId, signal }) {
      const tenant = tenantOf(ecpdId, accountName);
      while (!(await settleHeld(ctx, tenant, held, workings))) signal.throwIfAborted();
      return undefined;
    },
    onGivenUp: (ctx, { accountName, ...held }, { ecpdId }) =>
      giveUpHeld(ctx, tenantOf(ecpdId, accountName), held, workings),
  });

export const purgeRequests = definePurge({
  kind: 'carrier-requests.purge',
  batch: EXPIRED_PER_BATCH,
  retentions: [{ keptMs: KEPT_MS, deleteBefore: deleteExpired }],
});
