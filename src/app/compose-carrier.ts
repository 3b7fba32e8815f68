import type { CarrierOperation } from '../features/carrier-requests/index.ts';
import { purgeRequests, workRequest } from '../features/carrier-requests/jobs.ts';

/** Requests that change devices, put together once from all that can be asked for. */
export function composeCarrier(operations: readonly CarrierOperation[] = []) {
  const workJob = workRequest(operations);
  return { workJob, jobs: [workJob, purgeRequests] };
}

export type Carrier = ReturnType<typeof composeCarrier>;
