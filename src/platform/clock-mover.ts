import type { MovableClock } from './clock.ts';
import type { Db } from './db/db.ts';
import { sql } from './db/sql.ts';

/** Work that waits for a domain time: jobs, deliveries. Each knows when its next piece is due and can finish it. */
export interface TimedWork {
  /** Without what only comes back every so often: that need not be lived through turn by turn. */
  nextDueAt(): Promise<Date | undefined>;
  settle(signal?: AbortSignal): Promise<number>;
  /** While it is left alone, what comes back every so often does not run, however long it has been due. */
  leaveRecurring?(left: boolean): void;
  countUnfinished(until: Date): Promise<number>;
}

export interface ClockMove {
  readonly to: Date;
  ran: number;
  /** Rejects with `MayNotMove` when something has come up that stands against it: then it ends where it stands. */
  readonly done: Promise<void>;
}

export interface ClockMover {
  /** Throws `StillMoving` while an earlier move is under way. */
  moveTo(to: Date): ClockMove;
  current(): ClockMove | undefined;
  remaining(): Promise<number>;
  /**
   * Ends a move that is under way and goes back to real time. What `empty` writes commits together with
   * it, or neither happens. Throws `StillMoving` while another reset is under way, and `MayNotMove`.
   */
  reset(empty: (tx: Db) => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** A clock that stops at every hour of a month would else keep house seven hundred times. */
const RECURRING_EVERY_MS = 6 * 3_600_000;

export class StillMoving extends Error {}
/** Its message says what stands against it. */
export class MayNotMove extends Error {}

/** What stands against moving the clock, if anything. Nothing may come up before the transaction has ended. */
export type FindObstacle = (tx: Db) => Promise<string | undefined>;

export const readClockOffset = async (db: Db): Promise<number> =>
  Number((await db.maybe<{ ms: bigint }>(sql`select offset_ms as ms from domain_clock`))?.ms ?? 0n);

/** Written before the step is worked: after a crash domain time never lies before something it has dated. */
const saveOffset = (db: Db, offsetMs: number) =>
  db.exec(sql`
    insert into domain_clock (offset_ms) values (${Math.round(offsetMs)})
    on conflict (only_row) do update set offset_ms = excluded.offset_ms`);

/**
 * Moves domain time from due time to due time. At each stop the clock stands still until all work
 * due there is finished, also the work that this makes due, so a month moved is a month lived. What
 * recurs is caught up with once, at the end, and on the way where the clock stops anyway and has come far since.
 */
export function createClockMover(
  db: Db,
  clock: MovableClock,
  works: readonly TimedWork[],
  findObstacle: FindObstacle = async () => undefined,
): ClockMover {
  let current: (ClockMove & { readonly abort: AbortController }) | undefined;
  let resetting = false;
  let stopped = false;

  /** In one transaction: another process that joins either is seen here, or reads what this one has written. */
  const saveUnlessObstacle = (offsetMs: number): Promise<string | undefined> =>
    db.tx(async (tx) => {
      const obstacle = await findObstacle(tx);
      if (obstacle === undefined) await saveOffset(tx, offsetMs);
      return obstacle;
    });

  const saveOrThrow = async (at: Date): Promise<void> => {
    const obstacle = await saveUnlessObstacle(at.getTime() - Date.now());
    if (obstacle !== undefined) throw new MayNotMove(obstacle);
  };

  const settleAll = async (signal: AbortSignal): Promise<number> => {
    let ran = 0;
    for (;;) {
      let again = 0;
      for (const work of works) again += await work.settle(signal);
      ran += again;
      // One kind of work makes another due: only a round in which nothing ran ends the step.
      if (again === 0 || signal.aborted) return ran;
    }
  };

  const nextStop = async (to: Date): Promise<Date | undefined> => {
    const due = (await Promise.all(works.map((work) => work.nextDueAt()))).filter((at) => at !== undefined);
    const first = due.reduce<Date | undefined>(
      (min, at) => (min === undefined || at < min ? at : min),
      undefined,
    );
    return first !== undefined && first <= to ? first : undefined;
  };

  const walk = async (to: Date, count: (ran: number) => void, signal: AbortSignal): Promise<void> => {
    const leaveRecurring = (left: boolean) => {
      for (const work of works) work.leaveRecurring?.(left);
    };
    let recurredAt = clock.now().getTime();
    const workAt = async (stop: Date) => {
      const next = stop > clock.now() ? stop : clock.now();
      await saveOrThrow(next);
      clock.holdAt(next);
      const recurs = stop >= to || stop.getTime() - recurredAt >= RECURRING_EVERY_MS;
      if (recurs) recurredAt = stop.getTime();
      leaveRecurring(!recurs);
      count(await settleAll(signal));
    };
    await saveOrThrow(clock.now());
    clock.holdAt(clock.now());
    try {
      // What is under way may come back at a time that is not known before it has ended.
      leaveRecurring(true);
      await settleAll(signal);
      for (let stop = await nextStop(to); stop !== undefined && !signal.aborted; stop = await nextStop(to))
        await workAt(stop);
      if (!signal.aborted) await workAt(to);
    } finally {
      leaveRecurring(false);
      clock.release();
      // Who joined meanwhile goes by what was saved last, so this process does too.
      if ((await saveUnlessObstacle(clock.offsetMs())) !== undefined)
        clock.setOffset(await readClockOffset(db));
    }
  };

  const endMove = async () => {
    current?.abort.abort();
    await current?.done.catch(() => {});
  };

  return {
    moveTo(to) {
      if (current !== undefined || resetting || stopped) throw new StillMoving();
      let ran = 0;
      const abort = new AbortController();
      const count = (n: number) => {
        ran += n;
      };
      const done = walk(to, count, abort.signal).finally(() => {
        current = undefined;
      });
      // Whoever started the move hears of a failure through `done`; not listening must not end the process.
      done.catch(() => {});
      current = {
        to,
        abort,
        get ran() {
          return ran;
        },
        done,
      };
      return current;
    },
    current: () => current,
    async remaining() {
      if (current === undefined) return 0;
      const { to } = current;
      const counts = await Promise.all(works.map((work) => work.countUnfinished(to)));
      return counts.reduce((sum, n) => sum + n, 0);
    },
    async reset(empty) {
      if (resetting) throw new StillMoving();
      resetting = true;
      try {
        await endMove();
        await db.tx(async (tx) => {
          const obstacle = await findObstacle(tx);
          if (obstacle !== undefined) throw new MayNotMove(obstacle);
          await empty(tx);
          await saveOffset(tx, 0);
        });
        clock.reset();
      } finally {
        resetting = false;
      }
    },
    async stop() {
      stopped = true;
      await endMove();
    },
  };
}
