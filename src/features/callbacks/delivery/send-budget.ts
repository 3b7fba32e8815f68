/** How often the load of the process is measured. */
const MEASURE_MS = 100;
/** Below the first the budget grows, above the second it shrinks. Fractions of the elapsed time. */
const [CALM, BUSY] = [0.4, 0.6];
const [GROWS_BY, SHRINKS_BY] = [1.2, 0.5];
/** Messages under way to all listeners together: the initial value and minimum, and the maximum. */
const [BUDGET_MIN, BUDGET_MAX] = [512, 32_000];
/** Each listener may have this many, however busy the process is. */
const SHARE_MIN = 2;

/** Returns the fraction of the time since the previous call in which the event loop was busy. */
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
 * Limits the messages under way to one listener, in addition to its own window. Many slow listeners answer in waves,
 * and a listener with a long backlog uses all it gets. While the process is busy, both leave room for listeners with
 * a message or two. A few listeners are never held back.
 */
export class SendBudget {
  readonly #busy: () => number;
  readonly #nowMs: () => number;
  #budget = BUDGET_MIN;
  #lanes = 0;
  #measuredAtMs: number;

  constructor(busy: () => number = measureBusy(), nowMs: () => number = () => performance.now()) {
    this.#busy = busy;
    this.#nowMs = nowMs;
    this.#measuredAtMs = nowMs();
  }

  /** A lane now has messages under way (1), or has none any more (-1). */
  count(by: 1 | -1): void {
    this.#lanes += by;
  }

  /** How many messages a lane may have under way now. */
  get share(): number {
    const nowMs = this.#nowMs();
    if (nowMs >= this.#measuredAtMs + MEASURE_MS) this.#adapt(nowMs);
    return Math.max(SHARE_MIN, Math.floor(this.#budget / Math.max(1, this.#lanes)));
  }

  #adapt(nowMs: number): void {
    this.#measuredAtMs = nowMs;
    const busy = this.#busy();
    if (busy > BUSY) this.#budget = Math.max(BUDGET_MIN, this.#budget * SHRINKS_BY);
    else if (busy < CALM) this.#budget = Math.min(BUDGET_MAX, this.#budget * GROWS_BY);
  }
}
