import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../context/context.ts';
import { createPatience, type MoveStep } from '../flow-control/timed-work.ts';
import { type ClaimedJob, hasUnfinished } from './sql.ts';

/** Who waits for jobs to end looks again after this; soon where none runs here, and somebody else has what is due. */
const [LOOK_MS, REST_MS] = [500, 50];

interface SettlingDeps {
  readonly ctx: Ctx;
  readonly running: ReadonlyMap<string, { readonly job: ClaimedJob; readonly ended: Promise<void> }>;
  /** Claims what is due, as many as there are places for; answers how many. */
  readonly look: () => Promise<number>;
  /** Those that are claimed at present. */
  readonly kinds: () => readonly string[];
}

export interface Settling {
  /** To be told of every run that has ended. */
  ended(job: ClaimedJob): void;
  /** Runs everything that is due, also what that makes due; answers how many runs of the move it took. */
  settle(step?: MoveStep): Promise<number>;
}

export function createSettling({ ctx, running, look, kinds }: SettlingDeps): Settling {
  const watching = new Set<(job: ClaimedJob) => void>();
  const patience = createPatience();

  /** Until one of these has ended, or it is time to look again. */
  async function rest(
    jobs: Iterable<{ readonly ended: Promise<void> }>,
    signal?: AbortSignal,
  ): Promise<void> {
    const ends = [...jobs].map(({ ended }) => ended);
    const over = new AbortController();
    const either = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
    const ms = ends.length > 0 ? LOOK_MS : REST_MS;
    await Promise.race([sleep(ms, undefined, { signal: either }).catch(() => {}), ...ends]);
    over.abort();
  }

  /** Of what is due and runs here, until there is nothing. */
  async function finishDue(): Promise<void> {
    for (;;) {
      const wasIdle = running.size === 0;
      const claimed = await look();
      if (running.size > 0) await rest(running.values());
      else if (wasIdle && claimed === 0) return;
    }
  }

  /** Of what a move waits for, whatever else is due or runs. */
  async function finishStep(step: MoveStep, ran: () => number): Promise<void> {
    const isStalled = patience(step);
    while (!step.signal.aborted && (await hasUnfinished(ctx.db, kinds(), step))) {
      await look();
      const ofMove = running.values().filter(({ job }) => job.moveNr <= step.nr);
      await rest(ofMove, step.signal);
      if (isStalled(ran()))
        return void ctx.log.warn('the clock goes on without a job that does not come to its end');
    }
  }

  return {
    ended(job) {
      for (const watch of watching) watch(job);
    },
    async settle(step) {
      let ran = 0;
      const count = ({ moveNr }: ClaimedJob) => {
        if (step === undefined || moveNr <= step.nr) ran++;
      };
      watching.add(count);
      try {
        await (step === undefined ? finishDue() : finishStep(step, () => ran));
      } finally {
        watching.delete(count);
      }
      return ran;
    },
  };
}
