import type { Firing } from '../firings/index.ts';

type Reached = Pick<Firing, 'accountName' | 'subject' | 'levelKind' | 'level' | 'cycle' | 'before' | 'after'>;

/** A level that was reached, and how. The firing's key decides whether it has fired before. */
export interface Candidate
  extends Reached,
    Pick<Firing, 'triggerId' | 'threshold' | 'usageRecordId' | 'late'> {
  /** The counter of a line, of an account, or of several together. For a sum, the account is the one whose cycle it has. */
  readonly scope: 'device' | 'account' | 'sum';
  /** For a line whose level a record reached: the plan on which it was counted, which the line may have left since. */
  readonly planCode?: string | undefined;
  /** Set if the level was not reached by a record: usage was moved to the plan. */
  readonly cause?: Firing['cause'] | undefined;
}

/**
 * Keeps the first candidate of each subject, level and cycle: a line has a counter on each plan, and two may reach the
 * same percentage. A line counted in two accounts fires in each.
 */
export function firstOfEach<C extends Candidate>(candidates: readonly C[]): readonly C[] {
  const keys = new Set<string>();
  return candidates.filter(({ triggerId, subject, accountName, levelKind, level, cycle }) => {
    const key = `${triggerId} ${subject} ${accountName} ${levelKind} ${level} ${cycle.from.getTime()}`;
    return !keys.has(key) && keys.add(key);
  });
}
