import { CYCLES, type Cycle } from '../../kernel/bill-cycle.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { findChain } from '../trigger-actions/index.ts';
import { listThrottleListeners, notifyThrottling } from '../trigger-notifications/index.ts';
import type { CountedUsage } from '../usage/index.ts';
import type { Candidate } from './candidate.ts';
import { evaluateCounters } from './evaluate-counters.ts';
import { evaluateSums } from './evaluate-sums.ts';
import { type ApplyFirings, fireTriggers } from './fire-triggers.ts';
import { listCycles } from './sql-counters.ts';

/** The cycles for which the profile has levels, and the billing month if a listener is notified of throttling. */
export async function cyclesOf(ctx: Ctx, ecpdId: string): Promise<readonly Cycle[]> {
  const compared = new Set(await listCycles(ctx.db, ecpdId));
  if (!compared.has('Monthly') && (await listThrottleListeners(ctx, ecpdId)).length > 0)
    compared.add('Monthly');
  return CYCLES.filter((cycle) => compared.has(cycle));
}

/** In the order of the records that reached them. */
function inFeedOrder(candidates: readonly Candidate[], { records }: CountedUsage): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  const places = new Map(records.map(({ id }, n) => [id, n]));
  const placeOf = ({ usageRecordId }: Candidate) => places.get(usageRecordId) ?? 0;
  return candidates.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Every level that a batch reached. */
async function listCandidates(
  ctx: Ctx,
  ecpdId: string,
  counted: CountedUsage,
): Promise<readonly Candidate[]> {
  const counters = await evaluateCounters(ctx, ecpdId, counted);
  return inFeedOrder([...counters, ...(await evaluateSums(ctx, ecpdId, counted))], counted);
}

/** Evaluates price plan triggers for a batch of usage, in the transaction that counted it. Returns how many fired. */
export async function evaluateUsage(
  ctx: Ctx,
  ecpdId: string,
  counted: CountedUsage,
  apply: ApplyFirings,
): Promise<number> {
  const fired = await fireTriggers(ctx, ecpdId, await listCandidates(ctx, ecpdId, counted), apply);
  await notifyThrottling(ctx, ecpdId, counted);
  return fired;
}

/** The same after a request moved usage to another plan; the firings belong to that request's chain. */
export async function evaluateMovedUsage(
  ctx: Ctx,
  tenant: Tenant,
  requestId: string,
  counted: CountedUsage,
  apply: ApplyFirings,
): Promise<number> {
  const { ecpdId } = tenant;
  const candidates = await listCandidates(ctx, ecpdId, counted);
  const fired = await fireTriggers(ctx, ecpdId, candidates, apply, () => findChain(ctx, tenant, requestId));
  await notifyThrottling(ctx, ecpdId, counted);
  return fired;
}
