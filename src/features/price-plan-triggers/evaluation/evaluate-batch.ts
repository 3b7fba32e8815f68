import { CYCLES, type Cycle } from '../../../kernel/bill-cycle.ts';
import type { Ctx } from '../../../platform/context.ts';
import { listThrottleListeners } from '../telling/throttling/notice-throttling.ts';
import type { Candidate } from './candidate.ts';
import { evaluateSums } from './evaluate-sums.ts';
import { listCycles, listReachedLevels } from './sql-counters.ts';

/** The cycles that somebody's levels have, and the billing month where somebody is told when plans throttle. */
export async function cyclesOf(ctx: Ctx, ecpdId: string): Promise<readonly Cycle[]> {
  const asked = new Set(await listCycles(ctx.db, ecpdId));
  if (!asked.has('Monthly') && (await listThrottleListeners(ctx, ecpdId)).length > 0) asked.add('Monthly');
  return CYCLES.filter((cycle) => asked.has(cycle));
}

/** Every level that the staged batch has reached, in its transaction. */
export async function evaluateBatch(ctx: Ctx, ecpdId: string): Promise<readonly Candidate[]> {
  const counters = await listReachedLevels(ctx.db, ecpdId);
  return [...counters, ...(await evaluateSums(ctx, ecpdId))];
}
