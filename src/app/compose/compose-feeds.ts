import {
  createAlertScheduler,
  createRuleCache,
  type ReadingsPolicy,
} from '../../features/smart-alerts/index.ts';
import { type FeedPolicy, RepeatingFeeds, type UsageEvaluator } from '../../features/usage/index.ts';
import type { Settings } from '../../platform/config/settings.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { FEED_NAMES, type FeedShare } from '../../platform/feeds/feed.ts';
import { createFeedWatch } from '../../platform/feeds/feed-watch.ts';
import { concurrencyLimit } from '../../platform/flow-control/limits.ts';
import type { Health } from '../../platform/health/health.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';

/** Feeds would use all connections, so half are reserved for requests and jobs. */
const feedShare = (
  { db, chance }: Ctx,
  {
    feedAheadMs,
    feedBytesMax: bytesMax,
    feedLinesMax: linesMax,
    feedRejectedMax: rejectedMax,
  }: Pick<Settings, 'feedAheadMs' | 'feedBytesMax' | 'feedLinesMax' | 'feedRejectedMax'>,
  metrics: Metrics,
): FeedShare => ({
  // Reproducible runs write profiles one after the other.
  limit: concurrencyLimit(chance.repeats ? 1 : Math.max(1, Math.floor(db.transactionsMax / 2))),
  aheadMs: feedAheadMs,
  sizes: { bytesMax, linesMax, rejectedMax },
  countGivenUp: metrics.addCounter({
    name: 'linekeeper_feed_given_up_total',
    help: 'Fed records that were rejected because the database refused them for a reason in their data that was not foreseen',
    label: 'feed',
    values: FEED_NAMES,
  }),
});

const usageFeed = (
  { retentionDays }: Pick<Settings, 'retentionDays'>,
  share: FeedShare,
  metrics: Metrics,
  evaluator: UsageEvaluator,
): FeedPolicy => ({
  keptDays: retentionDays.usage,
  evaluator,
  share,
  repeating: new RepeatingFeeds(),
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

const readingsFeed = (share: FeedShare, metrics: Metrics): ReadingsPolicy => ({
  share,
  cache: createRuleCache(),
  count: metrics.addCounter({
    name: 'linekeeper_smart_alerts_total',
    help: 'Smart alerts by what became of them, since this process started',
    label: 'state',
    values: ['raised', 'cleared'],
  }),
  countReadings: metrics.addCounter({
    name: 'linekeeper_readings_total',
    help: 'Readings of devices by outcome, since this process started',
    label: 'outcome',
    values: ['accepted', 'duplicate', 'late', 'rejected'],
  }),
});

interface FeedParts {
  /** Evaluates usage: `compose-triggers.ts`. */
  readonly evaluator: UsageEvaluator;
  readonly metrics: Metrics;
  readonly health: Health;
}

/** Takes usage (`takeUsage` of the feature), positions and readings, and watches for rules without readings. */
export function composeFeeds(ctx: Ctx, settings: Settings, { evaluator, metrics, health }: FeedParts) {
  const watch = createFeedWatch(ctx);
  health.addReport('feeds', watch.status);
  const share = { ...feedShare(ctx, settings, metrics), noteBatch: watch.noteBatch };
  // The feed and the watcher share one cache of parsed rules.
  const readings = readingsFeed(share, metrics);
  return {
    feeds: { usage: usageFeed(settings, share, metrics, evaluator), positions: { share }, readings },
    watcher: createAlertScheduler(ctx, readings, health),
  };
}
