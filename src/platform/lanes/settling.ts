import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../context/context.ts';
import { createPatience, type MoveStep, type TimedWork } from '../flow-control/timed-work.ts';
import type { Finishing } from './lane.ts';

/** Poll interval while all due work is in lanes that other processes hold, at most until their leases end. */
const OTHERS_MS = 50;

/** Enough ticks of the event loop to process everything that the database has already answered. */
const TICKS_MAX = 50;

interface Working {
  sweep(): Promise<void>;
  /** Whether this process works on something that the step waits for, and looks for more by itself. */
  holdsFor(step: MoveStep): boolean;
  isIdle(): boolean;
  isStopping(): boolean;
}

/** Finishes the due work, or the work that a move of the clock waits for, whatever else is due or running. */
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

  /** Call this when work has ended, with the first move of the clock that waits for each piece of it. */
  readonly ended = (moveNrs: Iterable<number>): void => {
    if (this.#watching.size === 0) return;
    const nrs = [...moveNrs];
    for (const watch of this.#watching) watch(nrs);
    this.#progress.resolve();
    this.#progress = Promise.withResolvers();
  };

  /** See `TimedWork`. */
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
    const { name, isDue, askMs, sweepMs = 0 } = this.#finishing;
    const { sweep, holdsFor, isIdle, isStopping } = this.#working;
    const { clock, log } = this.#ctx;
    const isStalled = step === undefined ? () => false : this.#patience(step);
    for (let sweptAtMs = Number.NEGATIVE_INFINITY; ; ) {
      // Taken before the query for due work, so that work which ends during the query leads to another query.
      const ended = this.#progress.promise;
      const isHeld = step !== undefined && holdsFor(step);
      // Checked before the sweep: a worker that was just poked is not idle.
      if ((step === undefined ? isIdle() : !isHeld) && !(await isDue(step))) return;
      // Work ends all the time, and not every end is a reason to sweep.
      if (performance.now() >= sweptAtMs + (isHeld ? askMs : sweepMs) || (step === undefined && isIdle())) {
        await sweep();
        sweptAtMs = performance.now();
      }
      if (step?.signal.aborted || isStopping() || !clock.isRight()) return;
      await this.#rest(ended, step?.signal);
      if (isStalled(done())) return void log.warn(`the clock moves on without ${name} that do not finish`);
    }
  }

  /** Waits until some work has ended, or until it is time to ask again. */
  async #rest(ended: Promise<void>, signal?: AbortSignal): Promise<void> {
    const over = new AbortController();
    const either = AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]);
    const ms = this.#working.isIdle() ? OTHERS_MS : this.#finishing.askMs;
    const time = sleep(ms, undefined, { signal: either }).catch(() => {});
    await Promise.race([ended, time]);
    over.abort();
  }

  /** The end of work that is done in the database may not have been reported yet. */
  async #untilNotified(): Promise<void> {
    for (let tick = 0; tick < TICKS_MAX && !this.#working.isIdle(); tick++) await setImmediate();
  }
}
