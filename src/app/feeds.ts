import { cyclesOf, findChain, fireBatch, noticeThrottling } from '../features/price-plan-triggers/index.ts';
import type { FollowFirings } from '../features/price-plan-triggers/jobs.ts';
import {
  type AlertScheduler,
  createAlertScheduler,
  createRuleCache,
  type ReadingsPolicy,
} from '../features/smart-alerts/index.ts';
import type { FeedPolicy, UsageEvaluator } from '../features/usage/index.ts';
import { fireUsageTriggers } from '../features/usage-triggers/index.ts';
import type { Settings } from '../platform/config/settings.ts';
import type { Ctx } from '../platform/context/context.ts';
import { turnstile } from '../platform/flow-control/turnstile.ts';
import type { Health } from '../platform/health/health.ts';
import { FEED_NAMES, type FeedShare } from '../platform/http/feed.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';

/** Who looks at what was counted, in the transaction that counted it. */
export function usageEvaluator(metrics: Metrics, follow: FollowFirings): UsageEvaluator {
  const fired = metrics.addCounter({
    name: 'linekeeper_firings_total',
    help: 'Firings of triggers by kind, since this process started; those that were undone and done again count twice',
    label: 'kind',
    values: ['usage', 'pricePlan'],
  });
  return {
    cyclesOf,
    async evaluate(ctx, ecpdId, counted) {
      const firings = await fireBatch(ctx, ecpdId, counted);
      await follow(ctx, ecpdId, firings);
      await noticeThrottling(ctx, ecpdId, counted);
      fired('pricePlan', firings.length);
    },
    watchServices: fireUsageTriggers((count) => fired('usage', count)),
    async evaluateMove(ctx, tenant, requestId, counted) {
      const { ecpdId } = tenant;
      const firings = await fireBatch(ctx, ecpdId, counted);
      if (firings.length > 0) await follow(ctx, ecpdId, firings, await findChain(ctx, tenant, requestId));
      await noticeThrottling(ctx, ecpdId, counted);
      fired('pricePlan', firings.length);
    },
  };
}

/** Feeds take what they can get: half of the connections are left to requests and jobs. */
export const feedShare = (
  { db }: Ctx,
  { feedAheadMs }: Pick<Settings, 'feedAheadMs'>,
  metrics: Metrics,
): FeedShare => ({
  turns: turnstile(Math.max(1, Math.floor(db.transactionsMax / 2))),
  aheadMs: feedAheadMs,
  countGivenUp: metrics.addCounter({
    name: 'linekeeper_feed_given_up_total',
    help: 'Fed records that were rejected because the database refused them for a reason in their data that was not foreseen',
    label: 'feed',
    values: FEED_NAMES,
  }),
});

export const usageFeed = (
  { retentionDays }: Pick<Settings, 'retentionDays'>,
  share: FeedShare,
  metrics: Metrics,
  evaluator: UsageEvaluator,
): FeedPolicy => ({
  keptDays: retentionDays.usage,
  evaluator,
  share,
  watch: {
    records: metrics.addCounter({
      name: 'linekeeper_usage_records_total',
      help: 'Usage records by outcome, since this process started',
      label: 'outcome',
      values: ['accepted', 'duplicate', 'rejected'],
    }),
    batchSeconds: metrics.addTimer({
      name: 'linekeeper_usage_batch_seconds',
      help: 'Time to write one batch of usage records, in all its profiles',
    }),
  },
});

/** Readings, and what becomes of rules without them: both keep the rules they have read on one cache. */
export function watchRules(
  ctx: Ctx,
  share: FeedShare,
  metrics: Metrics,
  health: Health,
): { readonly readings: ReadingsPolicy; readonly watcher: AlertScheduler } {
  const deps = {
    cache: createRuleCache(),
    count: metrics.addCounter({
      name: 'linekeeper_smart_alerts_total',
      help: 'Smart alerts by what became of them, since this process started',
      label: 'state',
      values: ['raised', 'cleared'],
    }),
  };
  const countReadings = metrics.addCounter({
    name: 'linekeeper_readings_total',
    help: 'Readings of devices by outcome, since this process started',
    label: 'outcome',
    values: ['accepted', 'duplicate', 'late', 'rejected'],
  });
  return { readings: { ...deps, share, countReadings }, watcher: createAlertScheduler(ctx, deps, health) };
}
