import type { RequestLimits, WorkJob } from '../features/carrier-requests/index.ts';
import { purgeRequests, workJob } from '../features/carrier-requests/jobs.ts';
import { lifecycleOperations } from '../features/device-lifecycle/index.ts';
import { followJob, followOverdue, purgeSuspensions } from '../features/device-lifecycle/jobs.ts';
import { deleteRulesOfDevices } from '../features/device-management/index.ts';
import { planChange } from '../features/plan-change/index.ts';
import { endAction } from '../features/price-plan-triggers/index.ts';
import { assignLicenses, unassignLicenses } from '../features/sim-secure/index.ts';

/** Requests that change devices, put together once from all that can be asked for. */
export function composeCarrier(limits?: RequestLimits) {
  const work: WorkJob = workJob(
    [...lifecycleOperations(deleteRulesOfDevices), assignLicenses, unassignLicenses, planChange],
    [(tx, tenant, ended) => endAction(tx, tenant, ended, { workJob: work })],
    limits,
  );
  return { workJob: work, jobs: [work, purgeRequests, followJob, followOverdue, purgeSuspensions] };
}

export type Carrier = ReturnType<typeof composeCarrier>;
