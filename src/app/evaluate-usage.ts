import { cyclesOf, findChain, fireBatch, noticeThrottling } from '../features/price-plan-triggers/index.ts';
import type { FollowFirings } from '../features/price-plan-triggers/jobs.ts';
import type { CountedUsage, UsageEvaluator } from '../features/usage/index.ts';
import { fireUsageTriggers } from '../features/usage-triggers/index.ts';
import type { Ctx } from '../platform/context/context.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';

/**
 * Who evaluates usage, in the transaction that counted it: price plan triggers and throttling the bytes, usage triggers the uses
 * of services. Who takes usage is in `compose-feeds.ts`.
 */
export function usageEvaluator(metrics: Metrics, follow: FollowFirings): UsageEvaluator {
  const countFirings = metrics.addCounter({
    name: 'linekeeper_firings_total',
    help: 'Firings of triggers by kind, since this process started; those that were undone and done again count twice',
    label: 'kind',
    values: ['usage', 'pricePlan'],
  });
  const evaluateBytes = async (
    ctx: Ctx,
    ecpdId: string,
    counted: CountedUsage,
    chain?: () => ReturnType<typeof findChain>,
  ) => {
    const firings = await fireBatch(ctx, ecpdId, counted);
    if (firings.length > 0) await follow(ctx, ecpdId, firings, await chain?.());
    await noticeThrottling(ctx, ecpdId, counted);
    countFirings('pricePlan', firings.length);
  };
  return {
    cyclesOf,
    evaluate: (ctx, ecpdId, counted) => evaluateBytes(ctx, ecpdId, counted),
    evaluateMove: (ctx, tenant, requestId, counted) =>
      evaluateBytes(ctx, tenant.ecpdId, counted, () => findChain(ctx, tenant, requestId)),
    watchServices: fireUsageTriggers((count) => countFirings('usage', count)),
  };
}
