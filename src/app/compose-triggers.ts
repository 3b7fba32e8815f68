import {
  closeCyclesJob,
  type FollowFirings,
  followAccountsJob,
  watchClosings,
} from '../features/price-plan-triggers/jobs.ts';

/** What comes of the firings of price plan triggers, wherever they fire. */
const followFirings: FollowFirings = async () => {};

/** Price plan triggers, put together once for arriving usage and for cycles that close. */
export const composeTriggers = () => ({
  follow: followFirings,
  jobs: [closeCyclesJob(followFirings), watchClosings, followAccountsJob],
});

export type Triggers = ReturnType<typeof composeTriggers>;
