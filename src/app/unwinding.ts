import type { Log } from '../platform/log.ts';

type Step = () => Promise<unknown>;

/**
 * Undoes what was started, also when a later step of the start fails: first everything that takes up work, all at once, so
 * that nothing is taken up while something else is waited for; then in reverse what that stood on.
 */
export class Unwinding {
  readonly #log: Log;
  #workers: Step[] = [];
  #ground: Step[] = [];
  constructor(log: Log) {
    this.#log = log;
  }
  addWorker(step: Step): void {
    this.#workers.push(step);
  }
  add(step: Step): void {
    this.#ground.unshift(step);
  }
  async run(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((step) => this.#undo(step)));
    for (const step of this.#ground.splice(0)) await this.#undo(step);
  }
  /** One that fails must not keep the database under the others from being stopped. */
  async #undo(step: Step): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.#log.error({ err: error }, 'a part did not stop as it should');
    }
  }
}
