import type { RequestLimits, WorkJob } from '../../features/carrier-requests/index.ts';
import { confirmJob, purgeRequests, workingsOf, workJob } from '../../features/carrier-requests/jobs.ts';
import { lifecycleOperations } from '../../features/device-lifecycle/index.ts';
import {
  dueSuspensionsJob,
  purgeSuspensions,
  scheduleOverdue,
} from '../../features/device-lifecycle/jobs.ts';
import { lineMover } from '../../features/line-moves/index.ts';
import type { LineNetwork } from '../../features/network/index.ts';
import { deleteWithLines } from '../../features/operator/index.ts';
import { planChange } from '../../features/plan-change/index.ts';
import { assignLicenses, unassignLicenses } from '../../features/sim-secure/index.ts';
import type { CountAlerts } from '../../features/smart-alerts/index.ts';
import { noteChangedPlans, settleLines } from '../../features/trigger-actions/index.ts';
import { continueActions } from '../../features/trigger-actions/jobs.ts';
import { cyclesOf } from '../../features/trigger-evaluation/index.ts';
import type { UsageEvaluator } from '../../features/usage/index.ts';

/**
 * Requests that change devices, composed once from all operations. Actions of triggers also use them, so the
 * parts that evaluate usage moved by a request are created later.
 */
export function composeCarrier(
  evaluateMove: UsageEvaluator['evaluateMove'],
  {
    countAlerts = () => {},
    limits,
    network,
  }: {
    countAlerts?: CountAlerts;
    limits?: RequestLimits | undefined;
    network?: LineNetwork | undefined;
  } = {},
) {
  const moveLines = lineMover(countAlerts);
  const watcher = { cyclesOf, evaluateMove, noteChanged: noteChangedPlans };
  const workings = workingsOf(
    [
      ...lifecycleOperations(deleteWithLines, moveLines),
      assignLicenses,
      unassignLicenses,
      planChange(watcher),
    ],
    {
      onSettled: [(tx, tenant, settled) => settleLines(tx, tenant, settled, { workJob: work })],
      ...(limits !== undefined && { limits }),
      network,
    },
  );
  const work: WorkJob = workJob(workings);
  return {
    workJob: work,
    moveLines,
    jobs: [
      work,
      confirmJob(workings),
      purgeRequests,
      continueActions({ workJob: work }),
      dueSuspensionsJob(network),
      scheduleOverdue,
      purgeSuspensions,
    ],
  };
}

export type Carrier = ReturnType<typeof composeCarrier>;
