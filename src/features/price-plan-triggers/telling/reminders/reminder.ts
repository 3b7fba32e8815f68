import type { TriggerNotification } from '../../rule.ts';

type Reminders = NonNullable<TriggerNotification['reminders']>;

const HOUR_MS = 3_600_000;
const INTERVAL_MS: Readonly<Record<Reminders['interval'], number>> = {
  Hourly: HOUR_MS,
  Daily: 24 * HOUR_MS,
  Weekly: 7 * 24 * HOUR_MS,
};

/** When the reminder of this number is due; the first is number 1. */
export const reminderDueAt = (firedAt: Date, { interval }: Reminders, nth: number): Date =>
  new Date(firedAt.getTime() + nth * INTERVAL_MS[interval]);
