import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../../platform/context/context.ts';
import type { Loop } from '../../platform/health/health.ts';
import { RENEW_MS } from '../../platform/lanes/leases.ts';
import type { FeedReporter } from '../network-feeds/index.ts';
import type { FeedPolicy } from '../usage/index.ts';
import { listWaiting, settledFinder, type WaitingFile } from './folder.ts';
import { BadFile } from './read-rows.ts';
import { settleFile } from './settle-file.ts';
import { claimFile, endFile, type FileProgress, releaseFile, renewFile } from './sql.ts';
import { FileLost, type FolderFeed, type HeldFile, takeFile } from './take-file.ts';

const LOOK_MS = 1_000;
/** After a failure. A file that cannot be read now is left alone for longer, and the others of its folder are not. */
const AGAIN_MS = 5_000;
const LEFT_MS = 60_000;

interface WatcherDeps {
  readonly policy: FeedPolicy;
  readonly onFile: (outcome: 'done' | 'failed') => void;
  readonly reporter: FeedReporter;
  readonly loop: Loop;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Looks again and again whether work on a file may go on, for as long as it lasts. */
async function whileHeld(
  mayGoOn: () => Promise<boolean>,
  rest: AbortController,
  work: () => Promise<void>,
): Promise<void> {
  const renewing = setInterval(() => {
    mayGoOn().then(
      (may) => may || rest.abort(),
      // The next one may pass; who takes it over meanwhile adds duplicates and nothing else.
      () => {},
    );
  }, RENEW_MS);
  try {
    await work();
  } finally {
    clearInterval(renewing);
  }
}

/** Takes the files of one folder, the oldest first. */
export function createFolderWatcher(
  ctx: Ctx,
  feed: FolderFeed,
  { policy, onFile, reporter, loop }: WatcherDeps,
) {
  /** Files that could not be taken, and until when they are left alone. */
  const left = new Map<string, number>();
  const findSettled = settledFinder();

  /** Takes the rows of a file, and answers why it could not be taken to its end. */
  async function takeRows(held: HeldFile): Promise<string | undefined> {
    let before: FileProgress = held.claimed;
    try {
      await takeFile(ctx, held, policy, (now) => {
        reporter.count({
          accepted: now.accepted - before.accepted,
          duplicates: now.duplicates - before.duplicates,
          rejected: now.rejected - before.rejected,
        });
        reporter.busyWith(`${held.file.name}, line ${now.lines}`);
        loop.passed();
        before = now;
      });
      return undefined;
    } catch (error) {
      if (error instanceof BadFile) return error.message;
      throw error;
    }
  }

  async function work(held: HeldFile): Promise<void> {
    const { key, leaseToken, claimed, file } = held;
    let reason = claimed.reason ?? undefined;
    if (claimed.state === 'taking') {
      reason = await takeRows(held);
      if (!(await endFile(ctx.db, key, leaseToken, reason))) throw new FileLost();
      onFile(reason === undefined ? 'done' : 'failed');
    }
    await settleFile(held, reason);
    if (reason !== undefined) reporter.failed(`${file.name} ${reason}`);
  }

  /** Whether there was something to do with it. */
  async function take(file: WaitingFile, stopping: AbortSignal): Promise<boolean> {
    const { name, bytes, modifiedAt } = file;
    const [key, leaseToken] = [{ folder: feed.folder, name, bytes, modifiedAt }, ctx.newId()];
    const claimed = await claimFile(ctx.db, key, leaseToken);
    if (claimed === undefined) return false;
    const rest = new AbortController();
    const signal = AbortSignal.any([rest.signal, stopping]);
    const mayGoOn = async () => !reporter.isPaused && (await renewFile(ctx.db, key, leaseToken));
    reporter.busyWith(name);
    try {
      await whileHeld(mayGoOn, rest, () => work({ feed, file, key, leaseToken, claimed, signal }));
      return true;
    } catch (error) {
      if (signal.aborted || error instanceof FileLost) return false;
      left.set(name, Date.now() + LEFT_MS);
      throw error;
    } finally {
      reporter.busyWith(undefined);
      await releaseFile(ctx.db, key, leaseToken).catch(() => {});
    }
  }

  /** Takes the oldest file that is whole and that nobody has; whether there was one. */
  async function look(stopping: AbortSignal): Promise<boolean> {
    const files = await listWaiting(feed.folder);
    reporter.waiting(files.length, files[0]?.modifiedAt);
    for (const [name, untilMs] of left) if (untilMs <= Date.now()) left.delete(name);
    for (const file of findSettled(files)) {
      if (stopping.aborted || reporter.isPaused) return false;
      if (!left.has(file.name) && (await take(file, stopping))) return true;
    }
    return false;
  }

  return {
    async run(stopping: AbortSignal): Promise<void> {
      loop.begin();
      while (!stopping.aborted) {
        let pauseMs = LOOK_MS;
        try {
          if (await look(stopping)) pauseMs = 0;
          loop.passed();
        } catch (error) {
          loop.failed(error);
          pauseMs = AGAIN_MS;
          ctx.log.error({ err: error, feed: feed.name }, 'could not take files from a folder');
          reporter.failed(reasonOf(error));
        }
        await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {});
      }
      loop.rest();
    },
  };
}
