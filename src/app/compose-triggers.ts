import { type ActionPolicy, startActions, tellFirings } from '../features/price-plan-triggers/index.ts';
import {
  closeCyclesJob,
  type FollowFirings,
  followAccountsJob,
  watchClosings,
} from '../features/price-plan-triggers/jobs.ts';

/** Price plan triggers, put together once for arriving usage and for cycles that close. */
export function composeTriggers(actions: ActionPolicy) {
  /** What comes of firings, wherever they fire: told first, acted upon second. */
  const follow: FollowFirings = async (ctx, ecpdId, firings) => {
    await tellFirings(ctx, ecpdId, firings);
    await startActions(ctx, ecpdId, firings, actions);
  };
  return { follow, jobs: [closeCyclesJob(follow), watchClosings, followAccountsJob] };
}

export type Triggers = ReturnType<typeof composeTriggers>;
