import type { CarrierOperation } from '../features/carrier-requests/index.ts';
import { purgeRequests, workRequest } from '../features/carrier-requests/jobs.ts';
import { planChange } from '../features/plan-change/index.ts';
import { assignLicenses, unassignLicenses } from '../features/sim-secure/index.ts';

/** All that can be asked for many devices at once. */
const OPERATIONS: readonly CarrierOperation[] = [assignLicenses, unassignLicenses, planChange];

/** Requests that change devices, put together once from all that can be asked for. */
export function composeCarrier(operations: readonly CarrierOperation[] = OPERATIONS) {
  const workJob = workRequest(operations);
  return { workJob, jobs: [workJob, purgeRequests] };
}

export type Carrier = ReturnType<typeof composeCarrier>;
