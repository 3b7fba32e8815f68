import type { Ctx } from '../../../platform/context/context.ts';
import type { ActingDeps, NewAction } from './action.ts';
import type { Chain } from './chain.ts';
import { lockLanes, startNext } from './lane.ts';
import { insertActions } from './sql-action.ts';

/**
 * Does what was planned, in the transaction in which the triggers fired and after they were told: actions, like firings,
 * exist exactly when what was counted does. They are carried out after it by requests, of each account one after the other.
 */
export async function startActions(
  ctx: Ctx,
  ecpdId: string,
  actions: readonly NewAction[],
  { chain, ...deps }: ActingDeps & { readonly chain: Chain | undefined },
): Promise<void> {
  if (actions.length === 0) return;
  const waiting = actions.filter(({ state }) => state === 'waiting');
  const accountNames = waiting.map(({ accountName }) => accountName);
  // The request that has moved the usage ends in its account's lane: it is locked now, in the order of the names.
  if (chain !== undefined) accountNames.push(chain.accountName);
  const lanes = await lockLanes(ctx, ecpdId, [...new Set(accountNames)]);
  await insertActions(ctx.db, ecpdId, actions, ctx.now());
  for (const lane of lanes) await startNext(ctx, lane, deps);
}
