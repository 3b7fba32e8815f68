import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../context/context.ts';
import { createPatience, type MoveStep, type TimedWork } from '../flow-control/timed-work.ts';
import type { Finishing } from './lane.ts';

/** Due, and nothing is under way here: the lane is another's, for as long as its lease lasts. */
const OTHERS_MS = 50;

/** Of the event loop: as many as it takes to hear what the database has answered already. */
const TURNS_MAX = 50;

export interface Settling {
  /** Work has ended: to be told with the first move of the clock that waits for each piece of it. */
  ended(moveNrs: Iterable<number>): void;
  /** See TimedWork. */
  watch: NonNullable<TimedWork['watch']>;
  settle(step?: MoveStep): Promise<number>;
}

interface Working {
  look(): Promise<void>;
  isIdle(): boolean;
  isStopping(): boolean;
}

/** Finishes what is due, or what a move of the clock waits for, whatever else is due or under way. */
export function createSettling(
  { clock, log }: Ctx,
  { name, isDue, lookMs = 0, askMs }: Finishing,
  { look, isIdle, isStopping }: Working,
): Settling {
  const patience = createPatience();
  const watching = new Set<(moveNrs: readonly number[]) => void>();
  let progress = Promise.withResolvers<void>();

  /** Until some work has ended, or it is time to ask again. */
  async function rest(ended: Promise<void>, signal?: AbortSignal): Promise<void> {
    const over = new AbortController();
    const either = AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]);
    const time = sleep(isIdle() ? OTHERS_MS : askMs, undefined, { signal: either }).catch(() => {});
    await Promise.race([ended, time]);
    over.abort();
  }

  async function finish(step: MoveStep | undefined, done: () => number): Promise<void> {
    const isStalled = step === undefined ? () => false : patience(step);
    for (let lookAtMs = 0; ; ) {
      // From before it is asked what is due: what ends meanwhile is a reason to ask again.
      const ended = progress.promise;
      // Before it looks: who was just told to look for more is not idle.
      if ((step !== undefined || isIdle()) && !(await isDue(step))) return;
      // Work ends all the while: not each end is a reason to look for more.
      if (performance.now() >= lookAtMs || (step === undefined && isIdle())) {
        await look();
        lookAtMs = performance.now() + lookMs;
      }
      if (step?.signal.aborted || isStopping() || !clock.isRight()) return;
      await rest(ended, step?.signal);
      if (isStalled(done()))
        return void log.warn(`the clock goes on without ${name} that do not come to an end`);
    }
  }

  /** What the database has as done may not have been told yet. */
  async function untilNotified(): Promise<void> {
    for (let turns = 0; turns < TURNS_MAX && !isIdle(); turns++) await setImmediate();
  }

  const watch: Settling['watch'] = (nr, count) => {
    const own = (moveNrs: readonly number[]) => count(moveNrs.filter((each) => each <= nr).length);
    watching.add(own);
    return () => void watching.delete(own);
  };

  return {
    ended(moveNrs) {
      if (watching.size === 0) return;
      const nrs = [...moveNrs];
      for (const watch of watching) watch(nrs);
      progress.resolve();
      progress = Promise.withResolvers();
    },
    watch,
    async settle(step) {
      let done = 0;
      const end = watch(step?.nr ?? Number.POSITIVE_INFINITY, (more) => {
        done += more;
      });
      try {
        await finish(step, () => done);
        await untilNotified();
      } finally {
        end();
      }
      return done;
    },
  };
}
