import {
  type ActionPolicy,
  planActions,
  startActions,
  tellFirings,
} from '../features/price-plan-triggers/index.ts';
import {
  closeCyclesJob,
  type FollowFirings,
  followAccountsJob,
  watchClosings,
} from '../features/price-plan-triggers/jobs.ts';

/** Price plan triggers, put together once for arriving usage and for cycles that close. */
export function composeTriggers(actions: ActionPolicy) {
  /** What comes of firings, wherever they fire: decided, told, and then acted upon. */
  const follow: FollowFirings = async (ctx, ecpdId, firings) => {
    const planned = await planActions(ctx, ecpdId, firings, actions.devicesMax);
    await tellFirings(ctx, ecpdId, firings, planned);
    await startActions(ctx, ecpdId, planned, actions);
  };
  return { follow, jobs: [closeCyclesJob(follow), watchClosings, followAccountsJob] };
}

export type Triggers = ReturnType<typeof composeTriggers>;
