import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/db.ts';
import type { TimedWork } from '../flow-control/timed-work.ts';
import type { Destination, MovableClock } from './clock.ts';
import { findSavedClock, forgetMove, saveClock, standAsSaved } from './clock-row.ts';
import { createWalk, MayNotMove } from './clock-walk.ts';

export { MayNotMove } from './clock-walk.ts';

interface ClockMove {
  /** Where it began; after a restart, where it continues. */
  readonly from: Date;
  readonly to: Date;
  readonly ran: number;
  /** Resolves when the move is saved, so that it survives the end of the process. Rejects if the move does not begin. */
  readonly begun: Promise<void>;
  /** Rejects with `MayNotMove` if an obstacle appears: the move then ends at the current time. */
  readonly done: Promise<void>;
}

export interface ClockMover {
  /** Ends at `to`, or at real time plus the current offset if later. Throws `StillMoving` during another move. */
  moveTo(to: Date): ClockMove;
  /** Raises the offset by this much. Throws `StillMoving` during another move. */
  advance(ms: number): ClockMove;
  /** Like `advance`, for running time faster: interrupted by the moves above, and continued after them. */
  pace(ms: number): ClockMove;
  /** Continues the move that the end of the last process interrupted, if there is one. */
  resume(): Promise<void>;
  /** The requested move, without pacing. */
  current(): ClockMove | undefined;
  /** The target of the current move or of pacing. */
  movingTo(): Date | undefined;
  remaining(): Promise<number>;
  /** Freezes the clock, or lets it run on. Throws `StillMoving` and `MayNotMove`. */
  freeze(frozen: boolean): Promise<void>;
  isFrozen(): boolean;
  /**
   * Ends the current move and returns to real time. This commits together with the writes of `empty`, or not at all.
   * Throws `StillMoving` during another reset, and `MayNotMove`.
   */
  reset(empty: (tx: Db) => Promise<void>): Promise<void>;
  /** The next start continues the current move. */
  stop(): Promise<void>;
}

export class StillMoving extends Error {}

/** The obstacle to moving the clock, if any. No obstacle may appear until the transaction ends. */
type FindObstacle = (tx: Db) => Promise<string | undefined>;

interface MoverOptions {
  readonly findObstacle?: FindObstacle;
  /** Receives errors after which a move tries again. */
  readonly onError?: (error: unknown) => void;
}

/** A killed process still counts as up for some seconds. */
const [RESUME_TRIES, RESUME_EVERY_MS] = [60, 500];

interface Moving extends ClockMove {
  from: Date;
  to: Date;
  ran: number;
  readonly abort: AbortController;
  readonly onBegun: () => void;
}

interface RequestHooks {
  readonly before: () => Promise<void>;
  /** Called on an obstacle, before the error is thrown. */
  readonly onRefused: () => Promise<void>;
}

/** Moves domain time, for one caller at a time; clock-walk.ts implements the steps. */
export function createClockMover(
  db: Db,
  clock: MovableClock,
  works: readonly TimedWork[],
  { findObstacle = async () => undefined, onError = () => {} }: MoverOptions = {},
): ClockMover {
  let requested: Moving | undefined;
  let pacing: Moving | undefined;
  /** The part of the pacing that is in progress. */
  let stretch: { readonly abort: AbortController; readonly ended: Promise<void> } | undefined;
  let changing = false;
  let stopped = false;

  const unlessObstacle = (write: (tx: Db) => Promise<unknown>): Promise<void> =>
    db.tx(async (tx) => {
      const obstacle = await findObstacle(tx);
      if (obstacle !== undefined) throw new MayNotMove(obstacle);
      await write(tx);
    });
  const walk = createWalk({ db, clock, works, unlessObstacle, onError, isStopped: () => stopped });

  const towards = (ms: number): Destination => ({
    to: new Date(clock.now().getTime() + ms),
    leastOffsetMs: clock.offsetMs() + ms,
  });

  function begin({ to }: Destination, run: (move: Moving) => Promise<void>): Moving {
    const [begun, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const abort = new AbortController();
    const move = {
      ...{ from: clock.now(), to, ran: 0, abort },
      ...{ begun: begun.promise, done: done.promise, onBegun: begun.resolve },
    };
    // Callers get errors from these promises; a caller that does not listen must not end the process.
    for (const promise of [move.begun, move.done]) promise.catch(() => {});
    move.done.then(begun.resolve, begun.reject);
    run(move).then(done.resolve, done.reject);
    return move;
  }

  const countFor = (move: Moving) => (ran: number) => {
    move.ran += ran;
  };

  const end = async (move: Moving | undefined) => {
    move?.abort.abort();
    await move?.done.catch(() => {});
  };
  const interruptPace = async () => {
    stretch?.abort.abort();
    await stretch?.ended.catch(() => {});
  };
  const refuseWhileBusy = () => {
    if (requested !== undefined || changing || stopped) throw new StillMoving();
  };
  /** Blocks all other moves during `work`. */
  async function change(work: () => Promise<void>): Promise<void> {
    changing = true;
    try {
      await work();
    } finally {
      changing = false;
    }
  }

  /** Requested moves run one at a time, and interrupt pacing. */
  function request(
    destinationOf: () => Destination,
    { before = async () => {}, onRefused = async () => {} }: Partial<RequestHooks> = {},
  ): ClockMove {
    refuseWhileBusy();
    requested = begin(destinationOf(), async (move) => {
      const { signal } = move.abort;
      try {
        await before();
        await interruptPace();
        if (signal.aborted) return;
        const destination = destinationOf();
        [move.from, move.to] = [clock.now(), destination.to];
        const { onBegun } = move;
        await walk({ ...destination, isKept: true, signal, count: countFor(move), onBegun });
      } catch (error) {
        if (error instanceof MayNotMove) await onRefused();
        throw error;
      } finally {
        requested = undefined;
      }
    });
    return requested;
  }

  async function paceOn(ms: number, move: Moving): Promise<void> {
    for (let leftMs = ms; leftMs > 0; ) {
      while (requested !== undefined) await requested.done.catch(() => {});
      // Pacing does not move a frozen clock.
      if (move.abort.signal.aborted || changing || stopped || clock.isHeld()) return;
      const destination = towards(leftMs);
      move.to = destination.to;
      const abort = new AbortController();
      const signal = AbortSignal.any([move.abort.signal, abort.signal]);
      const ended = walk({ ...destination, isKept: false, signal, count: countFor(move) });
      stretch = { abort, ended };
      await ended.finally(() => {
        stretch = undefined;
      });
      if (!signal.aborted) return;
      leftMs = destination.leastOffsetMs - clock.offsetMs();
    }
  }

  async function waitUntilAlone(): Promise<void> {
    for (let tries = 1; !stopped; tries++) {
      try {
        return await unlessObstacle(async () => {});
      } catch (error) {
        if (tries >= RESUME_TRIES) {
          await standAsSaved(db, clock);
          throw error;
        }
        await sleep(RESUME_EVERY_MS);
      }
    }
  }

  /** The target of the interrupted move has limited the clock since the start. */
  async function giveUpResuming(): Promise<void> {
    await forgetMove(db);
    await standAsSaved(db, clock);
  }

  const saveStanding = (tx: Db, frozenAt: Date | null) =>
    saveClock(tx, {
      offsetMs: clock.offsetMs(),
      frozenAt,
      moveNr: clock.moveNr() - 1,
      destination: undefined,
    });
  async function freeze(): Promise<void> {
    const offsetMs = clock.offsetMs();
    const at = clock.now();
    clock.holdAt(at);
    try {
      await unlessObstacle((tx) => saveStanding(tx, at));
    } catch (error) {
      clock.setOffset(offsetMs);
      throw error;
    }
  }
  async function thaw(): Promise<void> {
    await unlessObstacle((tx) => saveStanding(tx, null));
    clock.release();
  }

  return {
    moveTo: (to) => request(() => ({ to, leastOffsetMs: clock.offsetMs() })),
    advance: (ms) => request(() => towards(ms)),
    pace(ms) {
      if (pacing !== undefined || changing || stopped) throw new StillMoving();
      pacing = begin(towards(ms), async (move) => {
        try {
          // Pacing is not saved: the next one makes up for the part that the end of the process loses.
          move.onBegun();
          await paceOn(ms, move);
        } finally {
          pacing = undefined;
        }
      });
      return pacing;
    },
    async resume() {
      const { destination } = await findSavedClock(db);
      if (destination === undefined) return;
      request(() => destination, { before: waitUntilAlone, onRefused: giveUpResuming }).done.catch(onError);
    },
    current: () => requested,
    movingTo: () => (requested ?? pacing)?.to,
    async remaining() {
      if (requested === undefined) return 0;
      const { to } = requested;
      const nr = clock.move()?.nr ?? clock.moveNr();
      const counts = await Promise.all(works.map((work) => work.countUnfinished(to, { nr })));
      return counts.reduce((sum, n) => sum + n, 0);
    },
    async freeze(frozen) {
      refuseWhileBusy();
      await change(async () => {
        await interruptPace();
        if (frozen !== clock.isHeld()) await (frozen ? freeze() : thaw());
      });
    },
    isFrozen: clock.isHeld,
    async reset(empty) {
      if (changing) throw new StillMoving();
      await change(async () => {
        await end(requested);
        await end(pacing);
        const moveNr = clock.moveNr() - 1;
        await unlessObstacle(async (tx) => {
          await empty(tx);
          await saveClock(tx, { offsetMs: 0, frozenAt: null, moveNr, destination: undefined });
        });
        clock.reset();
      });
    },
    async stop() {
      stopped = true;
      await end(requested);
      await end(pacing);
    },
  };
}
