import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/db.ts';
import type { TimedWork } from '../flow-control/timed-work.ts';
import type { Destination, MovableClock } from './clock.ts';
import { findSavedClock, forgetMove, saveClock, standAsSaved } from './clock-row.ts';
import { createWalk, MayNotMove } from './clock-walk.ts';

export { MayNotMove } from './clock-walk.ts';

interface ClockMove {
  /** Where it began; after a restart, where it goes on. */
  readonly from: Date;
  readonly to: Date;
  readonly ran: number;
  /** Resolves when an end of the process would only interrupt it. Rejects where it does not begin. */
  readonly begun: Promise<void>;
  /** Rejects with `MayNotMove` when something has come up that stands against it: then it ends where it stands. */
  readonly done: Promise<void>;
}

export interface ClockMover {
  /** Ends there, or at real time plus the offset it had if that is later. Throws `StillMoving` while another move is under way. */
  moveTo(to: Date): ClockMove;
  /** Raises the offset by so much. Throws `StillMoving` likewise. */
  advance(ms: number): ClockMove;
  /** The same for whoever lets time run faster: it gives way to the moves above and goes on after them. */
  pace(ms: number): ClockMove;
  /** Goes on with the move that the end of the process before has interrupted, if there is one. */
  resume(): Promise<void>;
  /** The move that somebody asked for. */
  current(): ClockMove | undefined;
  /** Where the clock is on its way to, whoever moves it. */
  movingTo(): Date | undefined;
  remaining(): Promise<number>;
  /** Stands still, or runs on from where it stands. Throws `StillMoving` and `MayNotMove`. */
  freeze(frozen: boolean): Promise<void>;
  isFrozen(): boolean;
  /**
   * Ends a move that is under way and goes back to real time. What `empty` writes commits together with
   * it, or neither happens. Throws `StillMoving` while another reset is under way, and `MayNotMove`.
   */
  reset(empty: (tx: Db) => Promise<void>): Promise<void>;
  /** A move that is under way goes on with the next start. */
  stop(): Promise<void>;
}

export class StillMoving extends Error {}

/** What stands against moving the clock, if anything. Nothing may come up before the transaction has ended. */
type FindObstacle = (tx: Db) => Promise<string | undefined>;

interface MoverOptions {
  readonly findObstacle?: FindObstacle;
  /** Gets what a move has met and will try again. */
  readonly onError?: (error: unknown) => void;
}

/** A process that was killed counts as being there for some seconds. */
const [RESUME_TRIES, RESUME_EVERY_MS] = [60, 500];

interface Moving extends ClockMove {
  from: Date;
  to: Date;
  ran: number;
  readonly abort: AbortController;
  readonly onBegun: () => void;
}

interface Asking {
  readonly before: () => Promise<void>;
  /** Called when something stands against it, before it is told. */
  readonly onRefused: () => Promise<void>;
}

/** Moves domain time, for one asker at a time; clock-walk.ts has the way itself. */
export function createClockMover(
  db: Db,
  clock: MovableClock,
  works: readonly TimedWork[],
  { findObstacle = async () => undefined, onError = () => {} }: MoverOptions = {},
): ClockMover {
  let asked: Moving | undefined;
  let pacing: Moving | undefined;
  /** The part of the way that whoever lets time run faster is on. */
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
    // Whoever started the move hears of a failure through these; not listening must not end the process.
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
    if (asked !== undefined || changing || stopped) throw new StillMoving();
  };
  /** Nothing moves the clock meanwhile. */
  async function change(work: () => Promise<void>): Promise<void> {
    changing = true;
    try {
      await work();
    } finally {
      changing = false;
    }
  }

  /** What somebody asks for comes first, and one at a time. */
  function ask(
    destinationOf: () => Destination,
    { before = async () => {}, onRefused = async () => {} }: Partial<Asking> = {},
  ): ClockMove {
    refuseWhileBusy();
    asked = begin(destinationOf(), async (move) => {
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
        asked = undefined;
      }
    });
    return asked;
  }

  async function paceOn(ms: number, move: Moving): Promise<void> {
    for (let leftMs = ms; leftMs > 0; ) {
      while (asked !== undefined) await asked.done.catch(() => {});
      // A clock that stands still is moved only by who asks for it.
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

  /** The clock was bound from the start by where the move leads. */
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
    moveTo: (to) => ask(() => ({ to, leastOffsetMs: clock.offsetMs() })),
    advance: (ms) => ask(() => towards(ms)),
    pace(ms) {
      if (pacing !== undefined || changing || stopped) throw new StillMoving();
      pacing = begin(towards(ms), async (move) => {
        try {
          // It is not written down: the next one makes up for what an end of the process takes away.
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
      ask(() => destination, { before: waitUntilAlone, onRefused: giveUpResuming }).done.catch(onError);
    },
    current: () => asked,
    movingTo: () => (asked ?? pacing)?.to,
    async remaining() {
      if (asked === undefined) return 0;
      const { to } = asked;
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
        await end(asked);
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
      await end(asked);
      await end(pacing);
    },
  };
}
