import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/db.ts';
import type { TimedWork } from '../flow-control/timed-work.ts';
import type { Destination, MovableClock } from './clock.ts';
import { forgetMove, saveClock, standAsSaved } from './clock-row.ts';

/** A clock that stops at every hour of a month would else keep house seven hundred times. */
const RECURRING_EVERY_MS = 24 * 3_600_000;
/** For so long a move waits for a database that does not answer, counted anew with every step that it has done. */
const [AGAIN_MS, FAILURES_MAX] = [1_000, 120];

/** Each is shorter than the one before, which it makes up for; what then is missing is less than anybody waits for. */
const [PARTS_MAX, REACHED_MS] = [3, 1_000];

/** Its message says what stands against it. */
export class MayNotMove extends Error {}

interface Walk extends Destination {
  /** Whether it goes on after a restart. */
  readonly isKept: boolean;
  readonly signal: AbortSignal;
  readonly count: (ran: number) => void;
  /** Called when it is written down, and so is not forgotten any more. */
  readonly onBegun?: () => void;
}

interface WalkDeps {
  readonly db: Db;
  readonly clock: MovableClock;
  readonly works: readonly TimedWork[];
  /** In one transaction: another process that joins either is seen here, or reads what this one has written. */
  readonly unlessObstacle: (write: (tx: Db) => Promise<unknown>) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly isStopped: () => boolean;
}

/**
 * Moves domain time from due time to due time. At each stop all work that is due there is finished, also what this
 * makes due, so a month moved is a month lived. The clock runs on meanwhile, unless it is frozen: whoever calls sees
 * it run, and what he brings is worked beside the move. What recurs is caught up with once, at the end, and on the
 * way where the clock stops anyway and has come far since.
 */
export function createWalk({ db, clock, works, unlessObstacle, onError, isStopped }: WalkDeps) {
  /** What fails for a while, as it does without a database, is done again; what stands against moving ends it. */
  async function untilDone<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let failures = 1; ; failures++) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof MayNotMove || signal.aborted || failures >= FAILURES_MAX) throw error;
        onError(error);
        await sleep(AGAIN_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  const stateAt = (at: Date, nr: number, destination: Destination | undefined) => ({
    offsetMs: Math.max(clock.offsetMs(), at.getTime() - Date.now()),
    frozenAt: clock.isHeld() ? at : null,
    moveNr: nr,
    destination,
  });

  const leaveRecurring = (left: boolean) => {
    for (const work of works) work.leaveRecurring?.(left);
  };

  /** Until nothing is left of what is due by then, which it answers: the clock runs on meanwhile. */
  async function settleAll(nr: number, to: Date, { signal, count }: Walk): Promise<Date> {
    for (;;) {
      const now = clock.now();
      const until = now < to ? now : to;
      let again = 0;
      for (const work of works) {
        const ran = await work.settle({ nr, until, signal });
        again += ran;
        if (work.watch === undefined) count(ran);
      }
      // One kind of work makes another due: only a round in which nothing ran ends the step.
      if (again === 0 || signal.aborted) return until;
    }
  }

  async function nextStop(nr: number, after: Date, to: Date): Promise<Date | undefined> {
    const due = (await Promise.all(works.map((work) => work.nextDueAt({ nr, after })))).filter(
      (at) => at !== undefined && at <= to,
    );
    return due.reduce<Date | undefined>((min, at) => (min === undefined || at! < min ? at : min), undefined);
  }

  async function goTo(nr: number, to: Date, walk: Walk): Promise<void> {
    const { signal, isKept } = walk;
    let recurredAt = clock.now().getTime();
    const workAt = async (stop: Date) => {
      // Written before the step is worked: after a crash domain time never lies before something it has dated.
      await unlessObstacle((tx) => saveClock(tx, stateAt(stop, nr, isKept ? walk : undefined)));
      clock.stepTo(stop);
      const recurs = stop >= to || stop.getTime() - recurredAt >= RECURRING_EVERY_MS;
      if (recurs) recurredAt = stop.getTime();
      leaveRecurring(!recurs);
      return settleAll(nr, to, walk);
    };
    // What is under way may come back at a time that is not known before it has ended.
    leaveRecurring(true);
    let after = await untilDone(signal, () => settleAll(nr, to, walk));
    for (let arrived = false; !arrived && !signal.aborted; ) {
      const stop = (await untilDone(signal, () => nextStop(nr, after, to))) ?? to;
      after = await untilDone(signal, () => workAt(stop));
      arrived = stop >= to;
    }
  }

  /** Where it ends further from real time than it began, it has still to live through what the way itself has taken. */
  async function goAlong(nr: number, walk: Walk): Promise<void> {
    let end = walk.to;
    for (let parts = 0; parts < PARTS_MAX && !walk.signal.aborted; parts++) {
      await goTo(nr, end, walk);
      const later = new Date(Date.now() + walk.leastOffsetMs);
      if (clock.isHeld() || later.getTime() - end.getTime() < REACHED_MS) return;
      end = later;
    }
  }

  return async (asked: Walk): Promise<void> => {
    const from = clock.now();
    const walk: Walk = {
      ...asked,
      // Who finds a clock that stands still has due work done before the move, or by it: that is not of the way.
      count(ran) {
        if (clock.now() > from) asked.count(ran);
      },
    };
    const { signal, isKept } = walk;
    const destination = isKept ? walk : undefined;
    const { nr } = await untilDone(signal, async () => {
      await unlessObstacle((tx) => saveClock(tx, stateAt(clock.now(), clock.moveNr(), destination)));
      return clock.beginMove(walk);
    });
    walk.onBegun?.();
    let arrived = false;
    const watched = works.map((work) => work.watch?.(nr, walk.count));
    try {
      await goAlong(nr, walk);
      arrived = !signal.aborted;
    } finally {
      for (const end of watched) end?.();
      leaveRecurring(false);
      clock.endMove(arrived);
      const goesOn = isStopped() && !arrived ? destination : undefined;
      await untilDone(signal, () =>
        unlessObstacle((tx) => saveClock(tx, stateAt(clock.now(), nr, goesOn))),
      ).catch(async (error: unknown) => {
        if (!(error instanceof MayNotMove)) throw error;
        await forgetMove(db);
        await standAsSaved(db, clock);
      });
    }
  };
}
