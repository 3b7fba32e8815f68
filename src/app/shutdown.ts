import { within } from '../platform/flow-control/limits.ts';
import type { Log } from '../platform/telemetry/log.ts';

type Step = () => Promise<unknown>;

interface Part {
  readonly name: string;
  readonly stop: Step;
  readonly limitMs: number;
}

/** Longer than any worker needs, including its grace time; after it, something hangs. */
const WORKER_MAX_MS = 25_000;
const GROUND_MAX_MS = 7_000;

/**
 * Stops everything started, even if a later step of the start fails. First it stops all workers at once, so
 * that none claims work during the wait; then it stops their dependencies in reverse order.
 */
export class Shutdown {
  readonly #log: Log;
  #workers: Part[] = [];
  #ground: Part[] = [];
  constructor(log: Log) {
    this.#log = log;
  }
  addWorker(name: string, stop: Step, limitMs = WORKER_MAX_MS): void {
    this.#workers.push({ name, stop, limitMs });
  }
  add(name: string, stop: Step, limitMs = GROUND_MAX_MS): void {
    this.#ground.unshift({ name, stop, limitMs });
  }
  async run(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((part) => this.#stop(part)));
    for (const part of this.#ground.splice(0)) await this.#stop(part);
  }
  /** A part that fails or hangs must not prevent the stop of the database. */
  async #stop({ name, stop, limitMs }: Part): Promise<void> {
    try {
      await within(limitMs, stop());
    } catch (error) {
      this.#log.error({ err: error, part: name }, 'a part did not stop as it should');
    }
  }
}
