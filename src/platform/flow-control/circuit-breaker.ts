/** Why nothing was tried: the last tries failed one after the other. */
export class CircuitOpen extends Error {}

/** What an error says about who was asked: did not answer, answered, or nothing at all. */
export type Verdict = 'failure' | 'answer' | 'unknown';

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

  async run<T>(work: () => Promise<T>, classify: (error: unknown) => Verdict = () => 'failure'): Promise<T> {
    if (this.isOpen) throw new CircuitOpen('not asked, because nobody answered before');
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
