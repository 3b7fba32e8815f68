import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../../platform/context/context.ts';
import { isOfDatabase } from '../../platform/db/failures.ts';
import type { Loop } from '../../platform/health/health.ts';
import { RENEW_MS } from '../../platform/lanes/leases.ts';
import type { FeedReporter } from '../network-feeds/index.ts';
import type { FeedPolicy } from '../usage/index.ts';
import { BadFile, FileChanged } from './content.ts';
import {
  escapeName,
  freeResultNames,
  listWaiting,
  putBackLeft,
  settledFinder,
  type WaitingFile,
} from './folder.ts';
import { settleFile } from './settle-file.ts';
import { claimFile, endFile, type FileProgress, releaseFile, renewFile } from './sql.ts';
import { FileLost, type FolderFeed, type HeldFile, takeFile } from './take-file.ts';

const SCAN_MS = 1_000;
/** Pauses after a failure. A file that cannot be read is skipped for longer than the other files of its folder wait. */
const RETRY_MS = 5_000;
const SKIPPED_MS = 60_000;
const NAMED_MAX = 3;

interface WatcherDeps {
  readonly policy: FeedPolicy;
  readonly onFile: (outcome: 'done' | 'failed') => void;
  readonly reporter: FeedReporter;
  readonly loop: Loop;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Checks at intervals whether work on a file may continue, while the work lasts. */
async function whileAllowed(
  mayContinue: () => Promise<boolean>,
  rest: AbortController,
  work: () => Promise<void>,
): Promise<void> {
  const renewing = setInterval(() => {
    mayContinue().then(
      (may) => may || rest.abort(),
      // The next renewal may succeed; if another process takes the file over, the worst result is duplicates.
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
  /** Files that could not be taken or moved, until when each is skipped, and why. */
  const skipped = new Map<string, { readonly untilMs: number; readonly reason: string }>();
  const findSettled = settledFinder();

  /** Takes the rows of a file. Returns the error because of which it could not be taken to its end. */
  async function takeRows(held: HeldFile): Promise<BadFile | undefined> {
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
      if (error instanceof BadFile) return error;
      throw error;
    }
  }

  async function work(held: HeldFile): Promise<void> {
    const { key, leaseToken, claimed, file } = held;
    let reason = claimed.reason ?? undefined;
    let problem: BadFile | undefined;
    if (claimed.state === 'taking') {
      problem = await takeRows(held);
      reason = problem?.message;
      if (!(await endFile(ctx.db, key, leaseToken, reason))) throw new FileLost();
      onFile(reason === undefined ? 'done' : 'failed');
    }
    await settleFile(held, reason, problem instanceof FileChanged);
    if (reason !== undefined) reporter.failed(`${file.name} ${reason}`);
  }

  /** Returns whether the file needed any work. */
  async function take(file: WaitingFile, stopping: AbortSignal): Promise<boolean> {
    const { name, bytes, modifiedAt, changedAt } = file;
    const [key, leaseToken] = [{ folder: feed.folder, name, bytes, modifiedAt, changedAt }, ctx.newId()];
    const claimed = await claimFile(ctx.db, key, leaseToken);
    if (claimed === undefined) return false;
    const rest = new AbortController();
    const signal = AbortSignal.any([rest.signal, stopping]);
    const mayContinue = async () => !reporter.isPaused && (await renewFile(ctx.db, key, leaseToken));
    reporter.busyWith(name);
    try {
      await whileAllowed(mayContinue, rest, () => work({ feed, file, key, leaseToken, claimed, signal }));
      return true;
    } catch (error) {
      if (signal.aborted || error instanceof FileLost) return false;
      if (isOfDatabase(error)) throw error;
      setAside(name, error);
      return false;
    } finally {
      reporter.busyWith(undefined);
      await releaseFile(ctx.db, key, leaseToken).catch(() => {});
    }
  }

  function setAside(name: string, error: unknown): void {
    const reason = `${escapeName(name)}: ${reasonOf(error)}`;
    skipped.set(name, { untilMs: Date.now() + SKIPPED_MS, reason });
    ctx.log.error({ err: error, feed: feed.name, file: name }, 'set a file aside that could not be taken');
    reporter.failed(reason);
  }

  /** The files that are set aside, of those that still exist. */
  function troubles(files: readonly WaitingFile[], badNames: readonly string[]): string | undefined {
    const there = new Set(files.map(({ name }) => name));
    for (const name of skipped.keys()) if (!there.has(name)) skipped.delete(name);
    const count = skipped.size + badNames.length;
    if (count === 0) return undefined;
    const named = badNames.slice(0, NAMED_MAX).map((name) => `${name}: its name has no plain characters`);
    const shown = [...skipped.values()].map(({ reason }) => reason).concat(named);
    return `${count} set aside: ${shown.slice(0, NAMED_MAX).join('; ')}`;
  }

  /** Takes the oldest complete file that no process holds. Returns whether there was one. */
  async function scan(stopping: AbortSignal): Promise<boolean> {
    await freeResultNames(feed.folder);
    const { files, badNames, moving } = await listWaiting(feed.folder);
    await putBackLeft(feed.folder, moving);
    reporter.waiting(files.length, files[0]?.modifiedAt);
    for (const file of findSettled(files)) {
      if (stopping.aborted || reporter.isPaused) return false;
      if ((skipped.get(file.name)?.untilMs ?? 0) > Date.now()) continue;
      if (!(await take(file, stopping))) continue;
      skipped.delete(file.name);
      reporter.troubledBy(troubles(files, badNames));
      return true;
    }
    reporter.troubledBy(troubles(files, badNames));
    return false;
  }

  return {
    async run(stopping: AbortSignal): Promise<void> {
      loop.begin();
      while (!stopping.aborted) {
        let pauseMs = SCAN_MS;
        try {
          if (await scan(stopping)) pauseMs = 0;
          loop.passed();
        } catch (error) {
          loop.failed(error);
          pauseMs = RETRY_MS;
          ctx.log.error({ err: error, feed: feed.name }, 'could not take files from a folder');
          reporter.failed(reasonOf(error));
          reporter.troubledBy(reasonOf(error));
        }
        await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {});
      }
      loop.rest();
    },
  };
}
