const MINUTE_MS = 60_000;
/** Within a day in all: what a mail server defers is greylisted for minutes or out of order for hours. */
const RETRY_MINUTES = [1, 5, 15, 60, 180, 360, 720];

export const ATTEMPTS_MAX = RETRY_MINUTES.length + 1;

/** When a deferred recipient is tried again: undefined when that was the last time. `attempt` has just ended. */
export function nextAttemptAt(attempt: number, endedAt: Date): Date | undefined {
  const minutes = RETRY_MINUTES[attempt - 1];
  return minutes === undefined ? undefined : new Date(endedAt.getTime() + minutes * MINUTE_MS);
}
