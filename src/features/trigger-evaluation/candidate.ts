import type { Cycle } from '../../kernel/bill-cycle.ts';
import type { LevelKind } from '../firings/index.ts';

/** A level that usage has reached, with the record that did it. Whether it has fired before is for the firing's key to say. */
export interface Candidate {
  readonly triggerId: string;
  readonly levelKind: LevelKind;
  readonly level: number;
  /** The line's or account's own counter, or several together. */
  readonly scope: 'device' | 'account' | 'sum';
  /** The device, the account, or the name of the sum. */
  readonly subject: string;
  /** Of a sum: the account whose cycle it has. */
  readonly accountName: string;
  readonly cycle: Cycle;
  readonly opensAt: Date;
  readonly closesAt: Date;
  readonly late: boolean;
  readonly beforeBytes: number;
  readonly afterBytes: number;
  readonly thresholdBytes: number;
  readonly recordId: string | null;
  /** Of a line that a record has brought there: the plan on which it was counted, which it may have left since. */
  readonly planCode?: string;
  /** Set where no record did it: usage was moved to the plan. */
  readonly cause?: 'planChange' | undefined;
}

/**
 * Of one subject, level and cycle the first: a line has a counter on each plan, and two may reach the same percentage. In two
 * accounts it fires in each.
 */
export function firstOfEach<T>(found: readonly T[], candidateOf: (one: T) => Candidate): readonly T[] {
  const firsts = new Map<string, T>();
  for (const one of found) {
    const { triggerId, subject, accountName, levelKind, level, opensAt } = candidateOf(one);
    const key = `${triggerId} ${subject} ${accountName} ${levelKind} ${level} ${opensAt.getTime()}`;
    if (!firsts.has(key)) firsts.set(key, one);
  }
  return [...firsts.values()];
}
