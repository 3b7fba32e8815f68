/** Messages sent in one iteration of the event loop, in addition to the first one of each lane. */
const PER_ITERATION = 32;

/**
 * Many slow listeners answer in waves, and each answer releases the next message. Sending a few at a time lets other
 * work run in between, and flattens the next wave.
 */
export class SendPace {
  readonly #waiting = new Set<() => void>();
  #left = PER_ITERATION;
  #isCounting = false;

  /** Whether another message may be sent now. If not, `resume` is called when it may. */
  admits(resume: () => void): boolean {
    if (!this.#isCounting) {
      this.#isCounting = true;
      setImmediate(() => this.#nextIteration());
    }
    if (this.#left === 0) {
      this.#waiting.add(resume);
      return false;
    }
    this.#left--;
    return true;
  }

  #nextIteration(): void {
    this.#isCounting = false;
    this.#left = PER_ITERATION;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resume of waiting) resume();
  }
}
