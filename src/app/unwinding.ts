import { within } from '../platform/db/within.ts';
import type { Log } from '../platform/telemetry/log.ts';

type Step = () => Promise<unknown>;

interface Part {
  readonly name: string;
  readonly undo: Step;
  readonly limitMs: number;
}

/** Longer than any worker needs by itself, its grace time included: beyond it something does not answer. */
const WORKER_MAX_MS = 25_000;
const GROUND_MAX_MS = 7_000;

/**
 * Undoes what was started, also when a later step of the start fails: first everything that takes up work, all at once, so
 * that nothing is taken up while something else is waited for; then in reverse what that stood on.
 */
export class Unwinding {
  readonly #log: Log;
  #workers: Part[] = [];
  #ground: Part[] = [];
  constructor(log: Log) {
    this.#log = log;
  }
  addWorker(name: string, undo: Step, limitMs = WORKER_MAX_MS): void {
    this.#workers.push({ name, undo, limitMs });
  }
  add(name: string, undo: Step, limitMs = GROUND_MAX_MS): void {
    this.#ground.unshift({ name, undo, limitMs });
  }
  async run(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((part) => this.#undo(part)));
    for (const part of this.#ground.splice(0)) await this.#undo(part);
  }
  /** One that fails, or never ends, must not keep the database under the others from being stopped. */
  async #undo({ name, undo, limitMs }: Part): Promise<void> {
    try {
      await within(limitMs, undo());
    } catch (error) {
      this.#log.error({ err: error, part: name }, 'a part did not stop as it should');
    }
  }
}
