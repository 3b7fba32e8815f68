/** Why nothing was tried: the last tries failed one after the other. */
export class CircuitOpen extends Error {}

/**
 * Stops asking somebody who does not answer: after `failuresMax` failures in a row everything fails at once for
 * `openMs` of real time; then one try decides whether it goes on.
 */
export class CircuitBreaker {
  #failures = 0;
  #openUntilMs = 0;
  #trying = false;
  readonly #failuresMax: number;
  readonly #openMs: number;

  constructor({ failuresMax, openMs }: { failuresMax: number; openMs: number }) {
    this.#failuresMax = failuresMax;
    this.#openMs = openMs;
  }

  get isOpen(): boolean {
    return this.#failures >= this.#failuresMax && (this.#trying || performance.now() < this.#openUntilMs);
  }

  /** `isFailure` tells who did not answer from who answered no. */
  async run<T>(work: () => Promise<T>, isFailure: (error: unknown) => boolean = () => true): Promise<T> {
    if (this.isOpen) throw new CircuitOpen('not asked, because nobody answered before');
    this.#trying = this.#failures >= this.#failuresMax;
    try {
      const result = await work();
      this.#failures = 0;
      return result;
    } catch (error) {
      if (isFailure(error)) {
        this.#failures++;
        this.#openUntilMs = performance.now() + this.#openMs;
      } else this.#failures = 0;
      throw error;
    } finally {
      this.#trying = false;
    }
  }
}
