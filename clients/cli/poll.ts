import { setTimeout as sleep } from 'node:timers/promises';
import { LinekeeperError } from '../sdk/index.ts';

const POLL_MS = 250;
/** Failed polls to tolerate, because a restarted service continues the work. */
const UNANSWERED_MAX = 120;

/** Polls until the work is over, and answers the last state. */
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
