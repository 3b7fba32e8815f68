import { setTimeout as sleep } from 'node:timers/promises';
import { withMoveNr } from '../../../platform/clock/clock.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import { createPatience, type MoveStep, type TimedWork } from '../../../platform/flow-control/timed-work.ts';
import type { FindOldestDue } from '../../../platform/health/due-work.ts';
import { createHealth, type Health } from '../../../platform/health/health.ts';
import { forEachIsolated, forEachSourceIsolated } from '../../../platform/health/isolate-failures.ts';
import { createSweeper } from '../../../platform/lanes/sweeper.ts';
import { followChanges } from './follow-changes.ts';
import { followDue, type WatchDeps } from './follow-due.ts';
import { countChanges, hasChanges, listProfilesWithChanges } from './sql-change.ts';
import { countDue, findNextDue, findOldestDue, listProfilesDue, type Share } from './sql-state.ts';

/** Of these rows, in the order in which they fell due, the profiles get a turn each. */
const DUE_SEEN = 10_000;
/** Until somebody else, who holds what is due, may have ended; and until what has failed is tried again. */
const [HELD_POLL_MS, FAILED_POLL_MS] = [20, 500];

export interface AlertWatcher extends TimedWork {
  start(): void;
  stop(): Promise<void>;
  readonly findOldestDue: FindOldestDue;
}

/**
 * Does what only time makes due, and what follows from changes of rules. Every process may run one: what is due is a row,
 * and whoever holds its device and commits has done it. While the clock is moved, what the move waits for is left to it.
 */
export function createAlertWatcher(ctx: Ctx, deps: WatchDeps, health: Health = createHealth()): AlertWatcher {
  const loop = health.loop('rules.follow');
  let stopping = false;
  /** The move that has followed the changes which were there when it began. */
  let followedNr: number | undefined;
  const patience = createPatience();
  const onError = (error: unknown) => ctx.log.error({ err: error }, 'could not look for rules that are due');

  type Turn = () => Promise<number>;
  const turnsOfChanges = async (of: Ctx): Promise<Turn[]> =>
    (await listProfilesWithChanges(of.db)).map((ecpdId) => () => followChanges(of, ecpdId, deps));
  const turnsOfDue = async (of: Ctx, share?: Share): Promise<Turn[]> =>
    (await listProfilesDue(of.db, { dueBy: of.now(), limit: DUE_SEEN, share })).map(
      (ecpdId) => () => followDue(of, ecpdId, deps, share),
    );
  const takeTurn = async (turn: Turn) => (stopping ? 0 : turn());
  const take = (turns: readonly Turn[]) => forEachIsolated(turns, takeTurn, onError, loop);
  const turnsNow = [
    () => turnsOfChanges(ctx),
    () => {
      const move = ctx.clock.move();
      return turnsOfDue(ctx, move && { above: move.nr });
    },
  ];

  /** A profile that fails counts as not done: the move goes on without it when it has waited long enough. */
  const takeInMove = (turns: readonly Turn[]) =>
    take(turns).catch(async (error: unknown) => {
      onError(error);
      await sleep(FAILED_POLL_MS);
      return 0;
    });

  async function look(): Promise<number> {
    if (!ctx.clock.isRight()) return 0;
    return forEachSourceIsolated(turnsNow, (list) => list(), takeTurn, onError, loop);
  }

  const sweeper = createSweeper({
    async find() {
      const found = await look();
      // What was done may have made more due.
      if (found > 0) sweeper.soon();
      return found;
    },
    loop,
    onError,
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
    for (let done = 1; done > 0 && ran < there; ran += done)
      done = await takeInMove(await turnsOfChanges(of));
    return ran;
  }

  async function finishStep(step: MoveStep): Promise<number> {
    const { nr, until, signal } = step;
    const ofMove = { ...ctx, clock: withMoveNr(ctx.clock, nr) };
    const isFirst = followedNr !== nr;
    followedNr = nr;
    const changes = await finishChanges(isFirst ? ofMove : ctx);
    // Nobody waits for what comes of those that came meanwhile.
    let ran = isFirst ? changes : 0;
    const isStalled = patience(step);
    while (!signal.aborted && ctx.clock.isRight()) {
      if ((await countDue(ctx.db, until, { upTo: nr })) === 0) break;
      const done = await takeInMove(await turnsOfDue(ofMove, { upTo: nr }));
      ran += done;
      if (isStalled(ran)) {
        ctx.log.warn('the clock goes on without rules of devices that somebody holds, or that fail');
        break;
      }
      if (done === 0) await sleep(HELD_POLL_MS);
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
    async findOldestDue(db) {
      const oldest = await findOldestDue(db, ctx.now());
      return oldest && { key: oldest.ruleId, dueAt: oldest.dueAt };
    },
    settle: (step) => (step === undefined ? finishDue() : finishStep(step)),
    countUnfinished: async (until, scope) =>
      (await countDue(ctx.db, until, scope && { upTo: scope.nr })) +
      (scope === undefined ? await countChanges(ctx.db) : 0),
  };
}
