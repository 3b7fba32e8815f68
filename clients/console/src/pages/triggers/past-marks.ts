interface PastFiring {
  readonly subject: string;
  readonly accountName: string;
  readonly cycle: { readonly from: string; readonly to: string };
  readonly after: number;
  readonly threshold: number;
}

interface PastUse {
  readonly subject: string;
  readonly accountName: string;
  readonly days: readonly { readonly day: string; readonly countedBytes: number }[];
}

const HALF_DAY_MS = 43_200_000;
/** A cycle begins at midnight in some zone; half a day later the date is the same in nearly every zone. */
const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The day on which the counter reached the level; for staying below a level, the last day of the cycle. */
function dayOf({ cycle, after, threshold }: PastFiring, days: PastUse['days']): number {
  const from = dayAt(Date.parse(cycle.from) + HALF_DAY_MS);
  const last = dayAt(Date.parse(cycle.to) - HALF_DAY_MS);
  const isIn = (day: string) => day >= from && day <= last;
  return after < threshold
    ? days.findLastIndex(({ day }) => isIn(day))
    : days.findIndex(({ day, countedBytes }) => isIn(day) && countedBytes >= after);
}

/** The counter on days with a firing for this subject; null on other days. */
export function marksOf(
  { subject, accountName, days }: PastUse,
  firings: readonly PastFiring[],
): readonly (number | null)[] {
  const own = firings.filter((firing) => firing.subject === subject && firing.accountName === accountName);
  const fired = new Set(own.map((firing) => dayOf(firing, days)));
  return days.map(({ countedBytes }, n) => (fired.has(n) ? countedBytes : null));
}
