import { addDuration } from '../../kernel/duration.ts';

export const DAY_MS = 86_400_000;
/** Suspensions less than a day apart count as one row. */
export const MAX_DAYS_IN_A_ROW = 90;
const MAX_DAYS_IN_12_MONTHS = 180;
/** How long before its automatic end a suspension is announced. */
export const NOTICE_MS = 7 * DAY_MS;

export interface Suspension {
  readonly suspendedAt: Date;
  /** Null while it lasts. */
  readonly resumedAt: Date | null;
}

export interface SuspensionCounts {
  /** Started days count as whole days. */
  readonly suspendedLast12Months: number;
  readonly allowedCurrent12Months: number;
  /** Whole days for which the device can still be suspended. */
  readonly daysLeft: number;
}

export const twelveMonthsBefore = (now: Date): Date => addDuration(now, { months: -12, ms: 0 });

/** A suspension that ended before this no longer counts, with a month to spare. */
export const thirteenMonthsBefore = (now: Date): Date => addDuration(now, { months: -13, ms: 0 });

const endOf = ({ resumedAt }: Suspension, now: Date): number => (resumedAt ?? now).getTime();

function msWithin(history: readonly Suspension[], from: Date, now: Date): number {
  const start = from.getTime();
  return history.reduce(
    (sum, each) => sum + Math.max(0, endOf(each, now) - Math.max(start, each.suspendedAt.getTime())),
    0,
  );
}

/** How long the device was suspended in the row that a suspension starting now would continue. */
function msInARow(history: readonly Suspension[], now: Date): number {
  let next = now.getTime();
  let sum = 0;
  for (const each of history.toReversed()) {
    const end = endOf(each, now);
    if (next - end >= DAY_MS) break;
    sum += end - each.suspendedAt.getTime();
    next = each.suspendedAt.getTime();
  }
  return sum;
}

/** `history` is in the order of time and has everything that reaches into the last 12 months. */
export function countSuspensions(history: readonly Suspension[], now: Date): SuspensionCounts {
  const usedMs = msWithin(history, twelveMonthsBefore(now), now);
  const suspendedLast12Months = Math.ceil(usedMs / DAY_MS);
  const allowedCurrent12Months = Math.max(0, MAX_DAYS_IN_12_MONTHS - suspendedLast12Months);
  const leftInARow = Math.floor((MAX_DAYS_IN_A_ROW * DAY_MS - msInARow(history, now)) / DAY_MS);
  const daysLeft = Math.max(0, Math.min(leftInARow, allowedCurrent12Months));
  return { suspendedLast12Months, allowedCurrent12Months, daysLeft };
}

/** The end of a suspension that begins now: as requested, or when no days are left. */
export function resumeTime(
  { daysLeft }: SuspensionCounts,
  { days, until }: { readonly days?: number | undefined; readonly until?: Date | undefined },
  now: Date,
): Date {
  const latest = now.getTime() + daysLeft * DAY_MS;
  const asked = until?.getTime() ?? now.getTime() + (days ?? daysLeft) * DAY_MS;
  return new Date(Math.min(latest, asked));
}
