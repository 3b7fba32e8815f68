import { addDuration } from '../../kernel/duration.ts';

export const DAY_MS = 86_400_000;
/** In a row: suspensions that follow each other in less than a day are one row. */
export const MAX_DAYS_IN_A_ROW = 90;
const MAX_DAYS_IN_12_MONTHS = 180;
/** So long before a line returns to active by itself it is announced. */
export const NOTICE_MS = 7 * DAY_MS;

export interface Suspension {
  readonly suspendedAt: Date;
  /** Null while it lasts. */
  readonly resumedAt: Date | null;
}

export interface SuspensionCounts {
  /** Begun days count. */
  readonly suspendedLast12Months: number;
  readonly allowedCurrent12Months: number;
  /** Whole days for which the device can be suspended from now on. */
  readonly daysLeft: number;
}

export const twelveMonthsBefore = (now: Date): Date => addDuration(now, { months: -12, ms: 0 });

/** A suspension that ended before this counts no more, with a month to spare. */
export const thirteenMonthsBefore = (now: Date): Date => addDuration(now, { months: -13, ms: 0 });

const endOf = ({ resumedAt }: Suspension, now: Date): number => (resumedAt ?? now).getTime();

function msWithin(history: readonly Suspension[], from: Date, now: Date): number {
  const start = from.getTime();
  return history.reduce(
    (sum, each) => sum + Math.max(0, endOf(each, now) - Math.max(start, each.suspendedAt.getTime())),
    0,
  );
}

/** How long the device was suspended in the row that a suspension beginning now would go on with. */
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

/** `history` in the order of time, with all that reaches into the last 12 months. */
export function countSuspensions(history: readonly Suspension[], now: Date): SuspensionCounts {
  const usedMs = msWithin(history, twelveMonthsBefore(now), now);
  const suspendedLast12Months = Math.ceil(usedMs / DAY_MS);
  const allowedCurrent12Months = Math.max(0, MAX_DAYS_IN_12_MONTHS - suspendedLast12Months);
  const leftInARow = Math.floor((MAX_DAYS_IN_A_ROW * DAY_MS - msInARow(history, now)) / DAY_MS);
  const daysLeft = Math.max(0, Math.min(leftInARow, allowedCurrent12Months));
  return { suspendedLast12Months, allowedCurrent12Months, daysLeft };
}

/** The end of a suspension that begins now: what is asked for, as far as there are days left for it. */
export function resumeTime(
  { daysLeft }: SuspensionCounts,
  { days, until }: { readonly days?: number | undefined; readonly until?: Date | undefined },
  now: Date,
): Date {
  const latest = now.getTime() + daysLeft * DAY_MS;
  const asked = until?.getTime() ?? now.getTime() + (days ?? daysLeft) * DAY_MS;
  return new Date(Math.min(latest, asked));
}
