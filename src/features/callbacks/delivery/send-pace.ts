/** Messages that leave in one turn of the event loop, beside the first one of each lane. */
const PER_TURN = 32;

/**
 * Answers of many slow listeners come in waves, and each lets the next message leave. They leave a few at a time, so that whatever
 * else waits is done in between, and the next wave is a lower one.
 */
export class SendPace {
  readonly #waiting = new Set<() => void>();
  #left = PER_TURN;
  #isCounting = false;

  /** Whether another message may leave now; if not, `resume` is called when it may. */
  admits(resume: () => void): boolean {
    if (!this.#isCounting) {
      this.#isCounting = true;
      setImmediate(() => this.#nextTurn());
    }
    if (this.#left === 0) {
      this.#waiting.add(resume);
      return false;
    }
    this.#left--;
    return true;
  }

  #nextTurn(): void {
    this.#isCounting = false;
    this.#left = PER_TURN;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resume of waiting) resume();
  }
}
