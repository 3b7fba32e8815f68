import type { Ctx } from '../../../platform/context/context.ts';
import { refreshLevels } from './refresh-levels.ts';
import { listProfilesWithTriggers, listTriggerIds } from './sql-levels.ts';

/** After plans have changed: percentages of an allowance are other numbers of bytes now. */
export async function followPlans(ctx: Ctx): Promise<void> {
  for (const ecpdId of await listProfilesWithTriggers(ctx.db)) await followGroups(ctx, ecpdId);
}

/** After the groups of a profile have changed: a pool has other members now. */
export const followGroups = async (ctx: Ctx, ecpdId: string): Promise<void> =>
  refreshLevels(ctx, ecpdId, await listTriggerIds(ctx.db, ecpdId));
