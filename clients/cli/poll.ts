import { setTimeout as sleep } from 'node:timers/promises';
import { LinekeeperError } from '../sdk/index.ts';

const POLL_MS = 250;
/** A service that was started again goes on with what it was asked for: for so many looks nobody need answer. */
const UNANSWERED_MAX = 120;

/** Looks until it is over, and answers what was seen last. */
export async function pollUntil<T>(look: () => Promise<T>, isOver: (seen: T) => boolean): Promise<T> {
  for (let unanswered = 0; ; ) {
    await sleep(POLL_MS);
    const seen = await look().catch((error: unknown) => {
      const isAnswered = !(error instanceof LinekeeperError && error.status === 0);
      if (isAnswered || ++unanswered > UNANSWERED_MAX) throw error;
      return undefined;
    });
    if (seen === undefined) continue;
    unanswered = 0;
    if (isOver(seen)) return seen;
  }
}
