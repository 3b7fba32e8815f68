/** Of a move of the clock. */
interface MoveScope {
  /** What has a higher number came by calls meanwhile: it is worked as always, and nobody waits for it. */
  readonly nr: number;
}

/** What is to be finished before the clock goes on. */
export interface MoveStep extends MoveScope {
  readonly until: Date;
  readonly signal: AbortSignal;
}

/** Work that waits for a domain time: jobs, deliveries. Each knows when its next piece is due and can finish it. */
export interface TimedWork {
  /** Of the move after `after`, or of all. Without what only comes back every so often: that need not be lived through turn by turn. */
  nextDueAt(scope?: MoveScope & { readonly after: Date }): Promise<Date | undefined>;
  /** Without a step: all that is due now. Answers how much of the move it has done meanwhile. */
  settle(step?: MoveStep): Promise<number>;
  /**
   * Tells how much of the move with this number is done, whenever some is: it works by itself too, while other work is
   * settled. Answers how to end that. Where it is missing, all is done in `settle`.
   */
  watch?(nr: number, count: (done: number) => void): () => void;
  /** While it is left alone, what comes back every so often does not run, however long it has been due. */
  leaveRecurring?(left: boolean): void;
  countUnfinished(until: Date, scope?: MoveScope): Promise<number>;
}

/** A step goes on without what has come no further for so long: longer than anything that is waited for takes by itself. */
const STALLED_MS = 150_000;
/** What has stalled once would else take that long again at every stop of the same move. */
const STALLED_AGAIN_MS = 1_000;

/** Of one kind of work: for each settling of a move, asks with how much is done so far whether to go on without the rest. */
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
