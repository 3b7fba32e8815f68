import type { Firing } from '../firings/index.ts';

type Reached = Pick<Firing, 'accountName' | 'subject' | 'levelKind' | 'level' | 'cycle' | 'before' | 'after'>;

/** A level that was reached, and what reached it. Whether it has fired before is for the firing's key to say. */
export interface Candidate
  extends Reached,
    Pick<Firing, 'triggerId' | 'threshold' | 'usageRecordId' | 'late'> {
  /** The line's or account's own counter, or several together: then the account is the one whose cycle it has. */
  readonly scope: 'device' | 'account' | 'sum';
  /** Of a line that a record has brought there: the plan on which it was counted, which it may have left since. */
  readonly planCode?: string | undefined;
  /** Set where no record did it: usage was moved to the plan. */
  readonly cause?: Firing['cause'] | undefined;
}

/**
 * Of one subject, level and cycle the first: a line has a counter on each plan, and two may reach the same percentage. In two
 * accounts it fires in each.
 */
export function firstOfEach<C extends Candidate>(candidates: readonly C[]): readonly C[] {
  const keys = new Set<string>();
  return candidates.filter(({ triggerId, subject, accountName, levelKind, level, cycle }) => {
    const key = `${triggerId} ${subject} ${accountName} ${levelKind} ${level} ${cycle.from.getTime()}`;
    return !keys.has(key) && keys.add(key);
  });
}
