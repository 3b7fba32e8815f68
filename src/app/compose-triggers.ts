import { type ActionPolicy, followFirings } from '../features/price-plan-triggers/index.ts';
import { closeCyclesJob, followAccountsJob, watchClosings } from '../features/price-plan-triggers/jobs.ts';

/** Price plan triggers, put together once for arriving usage and for cycles that close. */
export function composeTriggers(actions: ActionPolicy) {
  const follow = followFirings(actions);
  return { follow, jobs: [closeCyclesJob(follow), watchClosings, followAccountsJob] };
}

export type Triggers = ReturnType<typeof composeTriggers>;
