import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/db.ts';
import type { RecurringWork, TimedWork } from '../flow-control/timed-work.ts';
import type { Destination, MovableClock } from './clock.ts';
import { forgetMove, saveClock, standAsSaved } from './clock-row.ts';

const DAY_MS = 24 * 3_600_000;
/** Otherwise a clock that stops at every hour of a month would run the hourly jobs seven hundred times. */
const RECURRING_EVERY_MS = DAY_MS;
/** What purges delete later in a move is gone when the move ends, so they only keep the tables small. */
const PURGES_EVERY_MS = 30 * DAY_MS;
/** How long a move waits for a database that does not answer; the count restarts with each finished step. */
const [AGAIN_MS, FAILURES_MAX] = [1_000, 120];

/** Each part makes up for the time the last one took, and is shorter. A remaining difference this small does not matter. */
const [PARTS_MAX, REACHED_MS] = [3, 1_000];

/** The message names the obstacle. */
export class MayNotMove extends Error {}

interface Walk extends Destination {
  /** Whether the move continues after a restart. */
  readonly isKept: boolean;
  readonly signal: AbortSignal;
  readonly count: (ran: number) => void;
  /** Called when the move is saved. */
  readonly onBegun?: () => void;
}

interface WalkDeps {
  readonly db: Db;
  readonly clock: MovableClock;
  readonly works: readonly TimedWork[];
  /** Checks and writes in one transaction: a process that joins is either seen here, or reads this write. */
  readonly unlessObstacle: (write: (tx: Db) => Promise<unknown>) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly isStopped: () => boolean;
}

/**
 * Moves domain time from due time to due time. Each stop finishes all work due there, and work that becomes due by it, so
 * every event of a month happens at its own time. The clock keeps running, unless it is frozen: callers see it run, and
 * their work runs alongside the move. Recurring work runs once at the end, and at stops that are far enough apart.
 */
export function createWalk({ db, clock, works, unlessObstacle, onError, isStopped }: WalkDeps) {
  /** Repeats work that fails for a while, such as without a database; an obstacle to the move ends it. */
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

  const runRecurring = (which: RecurringWork) => {
    for (const work of works) work.runRecurring?.(which);
  };

  /** Chooses the recurring work of each stop. */
  function createRecurrence(from: Date, to: Date) {
    let [recurredAtMs, purgedAtMs] = [from.getTime(), from.getTime()];
    return (stop: Date): RecurringWork => {
      const ms = stop.getTime();
      if (stop < to && ms - recurredAtMs < RECURRING_EVERY_MS) return 'none';
      recurredAtMs = ms;
      if (stop < to && ms - purgedAtMs < PURGES_EVERY_MS) return 'exceptPurges';
      purgedAtMs = ms;
      return 'all';
    };
  }

  /** Finishes all work due until now, while the clock runs on. Returns the time up to which nothing is left. */
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
      // One kind of work can make another due, so only a round without any work ends the step.
      if (again === 0 || signal.aborted) return until;
    }
  }

  async function nextStop(nr: number, after: Date, to: Date): Promise<Date | undefined> {
    const due = (await Promise.all(works.map((work) => work.nextDueAt({ nr, after })))).filter(
      (at) => at !== undefined && at <= to,
    );
    return due.reduce<Date | undefined>((min, at) => (min === undefined || at! < min ? at : min), undefined);
  }

  async function moveTo(nr: number, to: Date, walk: Walk): Promise<void> {
    const { signal, isKept } = walk;
    const recurringAt = createRecurrence(clock.now(), to);
    const workAt = async (stop: Date) => {
      // Saved before the work of the step: after a crash, domain time is never before a time that was recorded.
      await unlessObstacle((tx) => saveClock(tx, stateAt(stop, nr, isKept ? walk : undefined)));
      clock.stepTo(stop);
      runRecurring(recurringAt(stop));
      return settleAll(nr, to, walk);
    };
    // Running work may be due again at a time that is known only when it ends.
    runRecurring('none');
    let after = await untilDone(signal, () => settleAll(nr, to, walk));
    for (let arrived = false; !arrived && !signal.aborted; ) {
      const stop = (await untilDone(signal, () => nextStop(nr, after, to))) ?? to;
      after = await untilDone(signal, () => workAt(stop));
      arrived = stop >= to;
    }
  }

  /** A move that also raises the offset must in addition cover the real time that the move itself took. */
  async function moveInParts(nr: number, walk: Walk): Promise<void> {
    let end = walk.to;
    for (let parts = 0; parts < PARTS_MAX && !walk.signal.aborted; parts++) {
      await moveTo(nr, end, walk);
      const later = new Date(Date.now() + walk.leastOffsetMs);
      if (clock.isHeld() || later.getTime() - end.getTime() < REACHED_MS) return;
      end = later;
    }
  }

  return async (asked: Walk): Promise<void> => {
    const from = clock.now();
    const walk: Walk = {
      ...asked,
      // Work that was due before a frozen clock moves does not count as work of the move.
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
      await moveInParts(nr, walk);
      arrived = !signal.aborted;
    } finally {
      for (const end of watched) end?.();
      runRecurring('all');
      clock.endMove(arrived);
      const interrupted = isStopped() && !arrived ? destination : undefined;
      await untilDone(signal, () =>
        unlessObstacle((tx) => saveClock(tx, stateAt(clock.now(), nr, interrupted))),
      ).catch(async (error: unknown) => {
        if (!(error instanceof MayNotMove)) throw error;
        await forgetMove(db);
        await standAsSaved(db, clock);
      });
    }
  };
}
