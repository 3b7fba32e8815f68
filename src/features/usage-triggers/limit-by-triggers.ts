import type { Ctx } from '../../platform/context/context.ts';
import { limitServices } from '../usage/index.ts';
import { listLimits } from './sql.ts';

/** After triggers have changed: a service of the account is limited while one of its triggers allows no excess. */
export const limitByTriggers = async (
  ctx: Ctx,
  ecpdId: string,
  accountNames: readonly string[],
): Promise<void> => limitServices(ctx, ecpdId, accountNames, await listLimits(ctx.db, ecpdId, accountNames));
