/** Nothing was tried, because the last tries failed in a row. */
export class CircuitOpen extends Error {}

/** What an error says about the peer: it did not answer, it answered, or neither is known. */
export type Verdict = 'failure' | 'answer' | 'unknown';

/**
 * Stops asking a peer that does not answer. After `failuresMax` failures in a row every call fails at once for
 * `openMs` of real time; then one trial decides whether calls resume.
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

  async run<T>(work: () => Promise<T>, classify: (error: unknown) => Verdict = () => 'failure'): Promise<T> {
    if (this.isOpen) throw new CircuitOpen('not asked, because earlier tries got no answer');
    const isTrial = this.#failures >= this.#failuresMax;
    if (isTrial) this.#trying = true;
    try {
      const result = await work();
      this.#failures = 0;
      return result;
    } catch (error) {
      const verdict = classify(error);
      if (verdict === 'answer') this.#failures = 0;
      if (verdict === 'failure') {
        this.#failures++;
        this.#openUntilMs = performance.now() + this.#openMs;
      }
      throw error;
    } finally {
      if (isTrial) this.#trying = false;
    }
  }
}
