import type { Cycle } from '../../../kernel/bill-cycle.ts';
import type { Cycles } from '../../../kernel/calendar.ts';

/** The starts of a closed cycle and of those before it, latest first, found as far as they are asked for. */
type Starts = (nth: number) => number;

interface Closed {
  readonly cycle: Cycle;
  readonly cycles: Pick<Cycles, 'cycleAt'>;
  readonly opensAt: Date;
}

export function startsUntil({ cycle, cycles: { cycleAt }, opensAt }: Closed): Starts {
  const known = [opensAt.getTime()];
  return (nth) => {
    while (known.length <= nth) known.push(cycleAt(cycle, known.at(-1)! - 1).fromMs);
    return known[nth]!;
  };
}

/** The latest start of a stay on a plan that reaches this number of whole cycles when this cycle closes. */
export const agedSince = (starts: Starts, billCycles: number): Date => new Date(starts(billCycles - 1));

/** How many whole cycles a line had been on its plan when this cycle closed. */
export function wholeCycles(starts: Starts, planSince: Date): number {
  let count = 0;
  while (starts(count) >= planSince.getTime()) count++;
  return count;
}
