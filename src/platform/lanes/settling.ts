import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../context/context.ts';
import { createPatience, type MoveStep, type TimedWork } from '../flow-control/timed-work.ts';
import type { Finishing } from './lane.ts';

/** Due, and nothing is under way here: the lane is another's, for as long as its lease lasts. */
const OTHERS_MS = 50;

/** Of the event loop: as many as it takes to hear what the database has answered already. */
const TURNS_MAX = 50;

interface Working {
  look(): Promise<void>;
  isIdle(): boolean;
  isStopping(): boolean;
}

/** Finishes what is due, or what a move of the clock waits for, whatever else is due or under way. */
export class Settling {
  readonly #ctx: Pick<Ctx, 'clock' | 'log'>;
  readonly #finishing: Finishing;
  readonly #working: Working;
  readonly #patience = createPatience();
  readonly #watching = new Set<(moveNrs: readonly number[]) => void>();
  #progress = Promise.withResolvers<void>();

  constructor(ctx: Pick<Ctx, 'clock' | 'log'>, finishing: Finishing, working: Working) {
    [this.#ctx, this.#finishing, this.#working] = [ctx, finishing, working];
  }

  /** Work has ended: to be told with the first move of the clock that waits for each piece of it. */
  readonly ended = (moveNrs: Iterable<number>): void => {
    if (this.#watching.size === 0) return;
    const nrs = [...moveNrs];
    for (const watch of this.#watching) watch(nrs);
    this.#progress.resolve();
    this.#progress = Promise.withResolvers();
  };

  /** See TimedWork. */
  readonly watch: NonNullable<TimedWork['watch']> = (nr, count) => {
    const own = (moveNrs: readonly number[]) => count(moveNrs.filter((each) => each <= nr).length);
    this.#watching.add(own);
    return () => void this.#watching.delete(own);
  };

  readonly settle = async (step?: MoveStep): Promise<number> => {
    let done = 0;
    const end = this.watch(step?.nr ?? Number.POSITIVE_INFINITY, (more) => {
      done += more;
    });
    try {
      await this.#finish(step, () => done);
      await this.#untilNotified();
    } finally {
      end();
    }
    return done;
  };

  async #finish(step: MoveStep | undefined, done: () => number): Promise<void> {
    const { name, isDue, lookMs = 0 } = this.#finishing;
    const { look, isIdle, isStopping } = this.#working;
    const { clock, log } = this.#ctx;
    const isStalled = step === undefined ? () => false : this.#patience(step);
    for (let lookAtMs = 0; ; ) {
      // From before it is asked what is due: what ends meanwhile is a reason to ask again.
      const ended = this.#progress.promise;
      // Before it looks: who was just told to look for more is not idle.
      if ((step !== undefined || isIdle()) && !(await isDue(step))) return;
      // Work ends all the while: not each end is a reason to look for more.
      if (performance.now() >= lookAtMs || (step === undefined && isIdle())) {
        await look();
        lookAtMs = performance.now() + lookMs;
      }
      if (step?.signal.aborted || isStopping() || !clock.isRight()) return;
      await this.#rest(ended, step?.signal);
      if (isStalled(done()))
        return void log.warn(`the clock goes on without ${name} that do not come to an end`);
    }
  }

  /** Until some work has ended, or it is time to ask again. */
  async #rest(ended: Promise<void>, signal?: AbortSignal): Promise<void> {
    const over = new AbortController();
    const either = AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]);
    const ms = this.#working.isIdle() ? OTHERS_MS : this.#finishing.askMs;
    const time = sleep(ms, undefined, { signal: either }).catch(() => {});
    await Promise.race([ended, time]);
    over.abort();
  }

  /** What the database has as done may not have been told yet. */
  async #untilNotified(): Promise<void> {
    for (let turns = 0; turns < TURNS_MAX && !this.#working.isIdle(); turns++) await setImmediate();
  }
}
