/** How often it is looked how busy the process is. */
const LOOK_MS = 100;
/** Busier than the second, it lets go; less busy than the first, it grows. As parts of the time that passes. */
const [CALM, BUSY] = [0.4, 0.6];
const [GROWS_BY, SHRINKS_BY] = [1.2, 0.5];
/** Messages under way to all listeners together, at first and at least, and at most. */
const [BUDGET_MIN, BUDGET_MAX] = [512, 32_000];
/** However busy the process is, each listener may have so many. */
const SHARE_MIN = 2;

/** The part of the time since it was asked for the last time in which the event loop was busy. */
function measureBusy(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}

/**
 * How many messages one listener may have under way, beside its own window. Those of many slow listeners answer in waves, and one
 * with a long backlog takes whatever it gets; while the process is busy they leave it to those who have a message or two. A few
 * listeners are never held back.
 */
export class SendBudget {
  readonly #busy: () => number;
  readonly #nowMs: () => number;
  #budget = BUDGET_MIN;
  #lanes = 0;
  #lookedAtMs: number;

  constructor(busy: () => number = measureBusy(), nowMs: () => number = () => performance.now()) {
    this.#busy = busy;
    this.#nowMs = nowMs;
    this.#lookedAtMs = nowMs();
  }

  /** A lane has got something under way, or has nothing any more. */
  count(by: 1 | -1): void {
    this.#lanes += by;
  }

  /** How many messages a lane may have under way now. */
  get share(): number {
    const nowMs = this.#nowMs();
    if (nowMs >= this.#lookedAtMs + LOOK_MS) this.#adapt(nowMs);
    return Math.max(SHARE_MIN, Math.floor(this.#budget / Math.max(1, this.#lanes)));
  }

  #adapt(nowMs: number): void {
    this.#lookedAtMs = nowMs;
    const busy = this.#busy();
    if (busy > BUSY) this.#budget = Math.max(BUDGET_MIN, this.#budget * SHRINKS_BY);
    else if (busy < CALM) this.#budget = Math.min(BUDGET_MAX, this.#budget * GROWS_BY);
  }
}
