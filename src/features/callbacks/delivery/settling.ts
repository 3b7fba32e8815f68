import type { Ctx } from '../../../platform/context/context.ts';
import { createPatience, type MoveStep } from '../../../platform/flow-control/timed-work.ts';
import { type EndedAttempt, findNextDue } from './sql-lane.ts';
import { hasDueOfMove } from './sql-move.ts';

/** Who waits for callbacks to be recorded looks again after this. */
const SETTLE_LOOK_MS = 50;
const STEP_LOOK_MS = 500;

export interface Settling {
  /** What has been recorded. */
  note(ended: readonly EndedAttempt[]): void;
  /** See TimedWork. */
  settle(step?: MoveStep): Promise<number>;
}

interface Sending {
  readonly isIdle: () => boolean;
  readonly lookForDue: () => Promise<void>;
}

/** Finishes what is due, or what a move of the clock waits for. */
export function createSettling(ctx: Ctx, { isIdle, lookForDue }: Sending): Settling {
  let wake = () => {};
  const patience = createPatience();
  const watching = new Set<(ended: readonly EndedAttempt[]) => void>();

  const recordedSome = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, SETTLE_LOOK_MS);
    });

  /** Of whatever is due, until nothing is. */
  async function finishDue(): Promise<void> {
    while (ctx.clock.isRight()) {
      await lookForDue();
      while (!isIdle()) await recordedSome();
      const next = await findNextDue(ctx.db);
      if (next === undefined || next > ctx.now()) return;
      // Still due though nothing is under way: the lane is another's, for as long as its lease lasts.
      if (isIdle()) await recordedSome();
    }
  }

  /** Of what a move waits for, whatever else is due or under way. */
  async function finishStep(step: MoveStep, recorded: () => number): Promise<void> {
    const isStalled = patience(step);
    let lookAtMs = performance.now();
    while (!step.signal.aborted && ctx.clock.isRight() && (await hasDueOfMove(ctx.db, step))) {
      // Others record all the while: not each of them is a reason to ask for what is due on every lane.
      if (performance.now() >= lookAtMs) {
        await lookForDue();
        lookAtMs = performance.now() + STEP_LOOK_MS;
      }
      await recordedSome();
      if (isStalled(recorded()))
        return void ctx.log.warn('the clock goes on without callbacks that could not be sent');
    }
  }

  return {
    note(ended) {
      for (const watch of watching) watch(ended);
      wake();
    },
    async settle(step) {
      let recorded = 0;
      const count = (ended: readonly EndedAttempt[]) => {
        recorded += ended.filter(({ message }) => step === undefined || message.moveNr <= step.nr).length;
      };
      watching.add(count);
      try {
        await (step === undefined ? finishDue() : finishStep(step, () => recorded));
      } finally {
        watching.delete(count);
      }
      return recorded;
    },
  };
}
