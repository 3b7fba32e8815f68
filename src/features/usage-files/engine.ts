import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../../platform/context/context.ts';
import { createHealth, type Health } from '../../platform/health/health.ts';
import { createFeedReporter } from '../network-feeds/index.ts';
import type { FeedPolicy } from '../usage/index.ts';
import { createFolderWatcher } from './folder-watcher.ts';
import type { FolderFeed } from './take-file.ts';

interface EngineDeps {
  readonly folders: readonly FolderFeed[];
  readonly policy: FeedPolicy;
  readonly onFile: (outcome: 'done' | 'failed') => void;
  readonly health?: Health;
}

/** Takes the files of the folders, one at a time in each. A problem in one folder does not affect the others. */
export function createFileEngine(ctx: Ctx, { folders, policy, onFile, health = createHealth() }: EngineDeps) {
  const stopping = new AbortController();
  const parts = folders.map((feed) => {
    const reporter = createFeedReporter(ctx, feed.name, health);
    const loop = health.loop('files.take', { vital: false });
    return { reporter, watcher: createFolderWatcher(ctx, feed, { policy, onFile, reporter, loop }) };
  });
  let running: Promise<unknown> = Promise.resolve();
  return {
    start(): void {
      running = Promise.all(
        parts.map(async ({ reporter, watcher }) => {
          await reporter.start();
          await watcher.run(stopping.signal);
          await reporter.stop();
        }),
      );
    },
    /** Finishes the batch that is being written; the rest of the file continues later. */
    async stop(graceMs: number): Promise<void> {
      stopping.abort();
      await Promise.race([running, sleep(graceMs, undefined, { ref: false })]);
    },
  };
}
