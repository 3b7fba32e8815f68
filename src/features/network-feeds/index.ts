export { type KnownFeed, listFeeds } from './list-feeds.ts';
export { createFeedReporter, type FeedReporter } from './reporter.ts';
export { setFeedPaused } from './sql.ts';
