import { addDays, type LocalDay } from './bill-cycle.ts';
import { type Boundaries, type Cycles, calendarOf, lastBy, NEAR_MS } from './calendar.ts';

/** An account whose cycles several accounts together follow from an instant on. */
interface Leader<A extends Boundaries = Boundaries> {
  readonly fromMs: number;
  readonly account: A;
}

/**
 * The cycles that usage of several accounts is counted in together: those of one account, later of another. A day of any
 * of them belongs to the cycle in which the followed account has this date.
 */
export function followedCycles<A extends Boundaries>(
  leaders: readonly Leader<A>[],
): Cycles & { readonly leaderAt: (atMs: number) => A } {
  const leaderAt = (atMs: number) => lastBy(leaders, atMs).account;
  const startOf = (day: LocalDay): number => {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { fromMs, account } of leaders.toReversed()) {
      const startMs = Math.min(calendarOf(account).startOf(day), nextMs);
      if (startMs >= fromMs) return startMs;
      nextMs = fromMs;
    }
    return nextMs;
  };
  const firstFrom = (fromMs: number): LocalDay => {
    let day = new Date(fromMs - NEAR_MS).toISOString().slice(0, 10);
    while (startOf(day) < fromMs) day = addDays(day, 1);
    return day;
  };
  return {
    leaderAt,
    startOf,
    cycleAt(cycle, atMs) {
      const leader = lastBy(leaders, atMs);
      const nextMs = leaders.find(({ fromMs }) => fromMs > atMs)?.fromMs ?? Number.POSITIVE_INFINITY;
      const { fromMs, toMs, shortened } = calendarOf(leader.account).cycleAt(cycle, atMs);
      return {
        fromMs: Math.max(fromMs, leader.fromMs),
        toMs: Math.min(toMs, nextMs),
        shortened: shortened || fromMs < leader.fromMs,
      };
    },
    daysOf: ({ fromMs, toMs }) => ({
      from: firstFrom(fromMs),
      to: firstFrom(toMs),
      pieces: calendarOf(leaderAt(fromMs)).daysOf({ fromMs, toMs }).pieces,
    }),
  };
}
