import { setTimeout as sleep } from 'node:timers/promises';
import { withMoveNr } from '../../../platform/clock.ts';
import type { Ctx } from '../../../platform/context.ts';
import { createSweeper } from '../../../platform/sweeper.ts';
import { type MoveStep, STALLED_MS, type TimedWork } from '../../../platform/timed-work.ts';
import { followChanges } from './follow-changes.ts';
import { followDue, type WatchDeps } from './follow-due.ts';
import { countChanges, hasChanges, listProfilesWithChanges } from './sql-change.ts';
import { countDue, findNextDue, listProfilesDue, type Share } from './sql-state.ts';

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
 * and whoever holds its device and commits has done it. While the clock is moved, what the move waits for is left to it.
 */
export function createAlertWatcher(ctx: Ctx, deps: WatchDeps): AlertWatcher {
  let stopping = false;
  /** The move that has followed the changes which were there when it began. */
  let followedNr: number | undefined;

  /** A profile whose turn fails does not hold up the others. */
  async function eachProfile(
    profiles: readonly string[],
    follow: (ecpdId: string) => Promise<number>,
  ): Promise<number> {
    let done = 0;
    let failure: { readonly error: unknown } | undefined;
    for (const ecpdId of profiles) {
      if (stopping) break;
      try {
        done += await follow(ecpdId);
      } catch (error) {
        failure = { error };
      }
    }
    if (failure !== undefined) throw failure.error;
    return done;
  }

  const lookAtChanges = async (of: Ctx): Promise<number> =>
    eachProfile(await listProfilesWithChanges(of.db), (ecpdId) => followChanges(of, ecpdId, deps));
  const lookAtDue = async (of: Ctx, share?: Share): Promise<number> =>
    eachProfile(await listProfilesDue(of.db, { dueBy: of.now(), limit: DUE_SEEN, share }), (ecpdId) =>
      followDue(of, ecpdId, deps, share),
    );

  async function look(): Promise<number> {
    if (!ctx.clock.isRight()) return 0;
    const move = ctx.clock.move();
    return (await lookAtChanges(ctx)) + (await lookAtDue(ctx, move && { above: move.nr }));
  }

  const sweeper = createSweeper({
    async find() {
      let found = 0;
      for (let now = await look(); now > 0; now = await look()) found += now;
      return found;
    },
    onError: (error) => ctx.log.error({ err: error }, 'could not look for rules that are due'),
  });

  const nextDueAt: TimedWork['nextDueAt'] = async (scope) =>
    scope === undefined && (await hasChanges(ctx.db)) ? ctx.now() : findNextDue(ctx.db, scope);

  async function finishDue(): Promise<number> {
    for (let ran = 0; ; ) {
      const done = await look();
      ran += done;
      if (done > 0) continue;
      const next = await nextDueAt();
      if (next === undefined || next > ctx.now()) return ran;
      await sleep(HELD_POLL_MS);
    }
  }

  /** As many as are there now: who changes rules without end does not hold up the clock. */
  async function finishChanges(of: Ctx): Promise<number> {
    const there = await countChanges(of.db);
    let ran = 0;
    for (let done = 1; done > 0 && ran < there; ran += done) done = await lookAtChanges(of);
    return ran;
  }

  async function finishStep({ nr, until, signal }: MoveStep): Promise<number> {
    const ofMove = { ...ctx, clock: withMoveNr(ctx.clock, nr) };
    const isFirst = followedNr !== nr;
    followedNr = nr;
    const changes = await finishChanges(isFirst ? ofMove : ctx);
    // Nobody waits for what comes of those that came meanwhile.
    let ran = isFirst ? changes : 0;
    for (let doneAtMs = performance.now(); !signal.aborted && ctx.clock.isRight(); ) {
      if ((await countDue(ctx.db, until, { upTo: nr })) === 0) break;
      const done = await lookAtDue(ofMove, { upTo: nr });
      ran += done;
      if (done > 0) doneAtMs = performance.now();
      else if (performance.now() > doneAtMs + STALLED_MS) {
        ctx.log.warn('the clock goes on without rules of devices that somebody holds');
        break;
      } else await sleep(HELD_POLL_MS);
    }
    return ran;
  }

  return {
    start: sweeper.start,
    stop() {
      stopping = true;
      return sweeper.stop();
    },
    nextDueAt,
    settle: (step) => (step === undefined ? finishDue() : finishStep(step)),
    countUnfinished: async (until, scope) =>
      (await countDue(ctx.db, until, scope && { upTo: scope.nr })) +
      (scope === undefined ? await countChanges(ctx.db) : 0),
  };
}
