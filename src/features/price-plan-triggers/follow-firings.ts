import type { ActionPolicy } from './acting/action.ts';
import { planActions } from './acting/plan-actions.ts';
import { startActions } from './acting/start-actions.ts';
import type { FollowFirings } from './closing/close-cycles.ts';
import { tellFirings } from './telling/tell-firings.ts';

/** What comes of firings, wherever they fire: decided, told, and then acted upon. */
export const followFirings =
  (policy: ActionPolicy): FollowFirings =>
  async (ctx, ecpdId, firings, chain) => {
    const planned = await planActions(ctx, ecpdId, firings, { devicesMax: policy.devicesMax, chain });
    await tellFirings(ctx, ecpdId, firings, planned);
    await startActions(ctx, ecpdId, planned, { ...policy, chain });
  };
