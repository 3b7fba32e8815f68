/** Of a move of the clock. */
export interface MoveScope {
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
  /** Without a step: all that is due now. Answers how much of the move it has done. */
  settle(step?: MoveStep): Promise<number>;
  /** While it is left alone, what comes back every so often does not run, however long it has been due. */
  leaveRecurring?(left: boolean): void;
  countUnfinished(until: Date, scope?: MoveScope): Promise<number>;
}

/** A step goes on without what has come no further for so long: longer than anything that is waited for takes by itself. */
export const STALLED_MS = 150_000;
