import { CYCLES, type Cycle } from '../../../kernel/bill-cycle.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import type { CountedUsage } from '../../usage/index.ts';
import { listThrottleListeners } from '../telling/throttling/notice-throttling.ts';
import type { Candidate } from './candidate.ts';
import { evaluateCounters } from './evaluate-counters.ts';
import { evaluateSums } from './evaluate-sums.ts';
import { listCycles } from './sql-counters.ts';

/** The cycles that somebody's levels have, and the billing month where somebody is told when plans throttle. */
export async function cyclesOf(ctx: Ctx, ecpdId: string): Promise<readonly Cycle[]> {
  const asked = new Set(await listCycles(ctx.db, ecpdId));
  if (!asked.has('Monthly') && (await listThrottleListeners(ctx, ecpdId)).length > 0) asked.add('Monthly');
  return CYCLES.filter((cycle) => asked.has(cycle));
}

/** In the order of the records that have reached them. */
function inFeedOrder(candidates: readonly Candidate[], { records }: CountedUsage): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  const places = new Map(records.map(({ id }, n) => [id, n]));
  const placeOf = ({ recordId }: Candidate) => places.get(recordId) ?? 0;
  return candidates.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Every level that a batch has reached, in its transaction, and in the order of the feed. */
export async function evaluateBatch(
  ctx: Ctx,
  ecpdId: string,
  counted: CountedUsage,
): Promise<readonly Candidate[]> {
  const counters = await evaluateCounters(ctx, ecpdId, counted);
  return inFeedOrder([...counters, ...(await evaluateSums(ctx, ecpdId, counted))], counted);
}
