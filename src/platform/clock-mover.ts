import type { MovableClock } from './clock.ts';
import type { Db } from './db/db.ts';
import { sql } from './db/sql.ts';

/** Work that waits for a domain time: jobs, deliveries. Each knows when its next piece is due and can finish it. */
export interface TimedWork {
  nextDueAt(): Promise<Date | undefined>;
  settle(signal?: AbortSignal): Promise<number>;
  countUnfinished(until: Date): Promise<number>;
}

export interface ClockMove {
  readonly to: Date;
  ran: number;
  readonly done: Promise<void>;
}

export interface ClockMover {
  /** Throws `StillMoving` while an earlier move is under way. */
  moveTo(to: Date): ClockMove;
  current(): ClockMove | undefined;
  remaining(): Promise<number>;
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export class StillMoving extends Error {}

export const readClockOffset = async (db: Db): Promise<number> =>
  Number((await db.maybe<{ ms: bigint }>(sql`select offset_ms as ms from domain_clock`))?.ms ?? 0n);

/** Written before the step is worked: after a crash domain time never lies before something it has dated. */
const saveOffset = (db: Db, clock: MovableClock) =>
  db.exec(sql`
    insert into domain_clock (offset_ms) values (${Math.round(clock.offsetMs())})
    on conflict (only_row) do update set offset_ms = excluded.offset_ms`);

/**
 * Moves domain time from due time to due time. At each stop the clock stands still until all work
 * due there is finished, also the work that this makes due, so a month moved is a month lived.
 */
export function createClockMover(db: Db, clock: MovableClock, works: readonly TimedWork[]): ClockMover {
  let current: ClockMove | undefined;
  const stopped = new AbortController();

  const settleAll = async (): Promise<number> => {
    let ran = 0;
    for (;;) {
      let again = 0;
      for (const work of works) again += await work.settle(stopped.signal);
      ran += again;
      // One kind of work makes another due: only a round in which nothing ran ends the step.
      if (again === 0 || stopped.signal.aborted) return ran;
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

  const walk = async (to: Date, count: (ran: number) => void): Promise<void> => {
    clock.holdAt(clock.now());
    try {
      while (!stopped.signal.aborted) {
        const stop = await nextStop(to);
        if (stop === undefined) break;
        if (stop > clock.now()) clock.holdAt(stop);
        await saveOffset(db, clock);
        count(await settleAll());
      }
      if (!stopped.signal.aborted && to > clock.now()) clock.holdAt(to);
    } finally {
      clock.release();
      await saveOffset(db, clock);
    }
  };

  return {
    moveTo(to) {
      if (current !== undefined) throw new StillMoving();
      let ran = 0;
      const done = walk(to, (n) => {
        ran += n;
      }).finally(() => {
        current = undefined;
      });
      // The caller may stop waiting; a failure then reaches the log of whoever asks next, not the process.
      done.catch(() => {});
      current = {
        to,
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
    async reset() {
      if (current !== undefined) throw new StillMoving();
      clock.reset();
      await saveOffset(db, clock);
    },
    async stop() {
      stopped.abort();
      await current?.done.catch(() => {});
    },
  };
}
