/** The work that a move of the clock waits for. */
interface MoveScope {
  /** Work with a higher number came from calls during the move: it runs as always, and the move does not wait for it. */
  readonly nr: number;
}

/** A stop of a move: what must be finished before the clock moves on. */
export interface MoveStep extends MoveScope {
  readonly until: Date;
  readonly signal: AbortSignal;
}

/** The recurring work that runs. Stops of a move of the clock leave out some of it, however long it has been due. */
export type RecurringWork = 'all' | 'exceptPurges' | 'none';

/** Work that waits for a domain time: jobs, deliveries. Each kind knows when its next piece is due, and can finish it. */
export interface TimedWork {
  /** The next due time of the move after `after`, or of all work. Without recurring work, which does not stop the clock. */
  nextDueAt(scope?: MoveScope & { readonly after: Date }): Promise<Date | undefined>;
  /** Without a step: finishes all work due now. Returns how many pieces of work of the move ended in the meantime. */
  settle(step?: MoveStep): Promise<number>;
  /**
   * Calls `count` whenever work of the move with this number ends, because the engine also runs while other work is
   * settled. Returns a function that ends this. If missing, all work is done in `settle`.
   */
  watch?(nr: number, count: (done: number) => void): () => void;
  runRecurring?(which: RecurringWork): void;
  countUnfinished(until: Date, scope?: MoveScope): Promise<number>;
}

/** A step continues without work that made no progress for this long. All work that it waits for normally takes less. */
const STALLED_MS = 150_000;
/** The limit after the first stall of a move. Otherwise stalled work would cost the full time at every stop. */
const STALLED_AGAIN_MS = 1_000;

/** For one kind of work: per step of a move, a function that takes the work done so far and returns whether to give up. */
export function createPatience(nowMs = () => performance.now()) {
  let stalledNr: number | undefined;
  return ({ nr }: MoveScope) => {
    let [seen, seenAtMs] = [0, nowMs()];
    return (done: number): boolean => {
      if (done > seen) [seen, seenAtMs] = [done, nowMs()];
      if (nowMs() <= seenAtMs + (stalledNr === nr ? STALLED_AGAIN_MS : STALLED_MS)) return false;
      stalledNr = nr;
      return true;
    };
  };
}
