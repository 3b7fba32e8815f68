import { setTimeout as sleep } from 'node:timers/promises';
import type { TimedWork } from '../../../platform/clock-mover.ts';
import type { Ctx } from '../../../platform/context.ts';
import { createSweeper } from '../../../platform/sweeper.ts';
import { followChanges } from './follow-changes.ts';
import { followDue, type WatchDeps } from './follow-due.ts';
import { countChanges, hasChanges, listProfilesWithChanges } from './sql-change.ts';
import { countDue, findNextDue, listProfilesDue } from './sql-state.ts';

/** Of these rows, in the order in which they fell due, the profiles get a turn each. */
const DUE_SEEN = 10_000;
/** Until somebody else, who holds what is due, may have ended. */
const HELD_POLL_MS = 20;

export interface AlertWatcher extends TimedWork {
  start(): void;
  stop(): Promise<void>;
}

/**
 * Does what only time makes due, and what follows from changes of rules. Every process may run one: what is due is a row,
 * and whoever holds its device and commits has done it.
 */
export function createAlertWatcher(ctx: Ctx, deps: WatchDeps): AlertWatcher {
  let stopping = false;
  /** A profile whose turn fails does not hold up the others. */
  async function eachProfile(
    profiles: readonly string[],
    follow: (ctx: Ctx, ecpdId: string, deps: WatchDeps) => Promise<number>,
  ): Promise<number> {
    let done = 0;
    let failure: { readonly error: unknown } | undefined;
    for (const ecpdId of profiles) {
      if (stopping) break;
      try {
        done += await follow(ctx, ecpdId, deps);
      } catch (error) {
        failure = { error };
      }
    }
    if (failure !== undefined) throw failure.error;
    return done;
  }

  const look = async (): Promise<number> =>
    !ctx.clock.isRight()
      ? 0
      : (await eachProfile(await listProfilesWithChanges(ctx.db), followChanges)) +
        (await eachProfile(await listProfilesDue(ctx.db, ctx.now(), DUE_SEEN), followDue));

  const sweeper = createSweeper({
    async find() {
      let found = 0;
      for (let now = await look(); now > 0; now = await look()) found += now;
      return found;
    },
    onError: (error) => ctx.log.error({ err: error }, 'could not look for rules that are due'),
  });

  const nextDueAt = async () => ((await hasChanges(ctx.db)) ? ctx.now() : findNextDue(ctx.db));

  return {
    start: sweeper.start,
    stop() {
      stopping = true;
      return sweeper.stop();
    },
    nextDueAt,
    async settle(signal) {
      let ran = 0;
      while (!signal?.aborted) {
        const done = await look();
        ran += done;
        if (done > 0) continue;
        const next = await nextDueAt();
        if (next === undefined || next > ctx.now()) break;
        await sleep(HELD_POLL_MS);
      }
      return ran;
    },
    countUnfinished: async (until) => (await countDue(ctx.db, until)) + (await countChanges(ctx.db)),
  };
}
