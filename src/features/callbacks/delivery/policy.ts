import type { SendOutcome } from '../send-callback.ts';

export const ATTEMPTS_MAX = 4;
const RETRY_DELAY_MS = 5 * 60_000;

export const isAcknowledged = ({ status }: Pick<SendOutcome, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300;

/** When the next attempt is due; undefined if there is none. `attempt` is the one that has just ended. */
export function nextAttemptAt(outcome: SendOutcome, attempt: number, endedAt: Date): Date | undefined {
  if (isAcknowledged(outcome) || attempt >= ATTEMPTS_MAX) return undefined;
  return new Date(endedAt.getTime() + RETRY_DELAY_MS);
}

const WINDOW_FIRST = 2;
const WINDOW_MAX = 64;

/**
 * How many messages may be under way to one listener. Each answer enlarges the window; a missing or truncated one
 * halves it. A listener that answers gets messages fast, and a dead one occupies a connection or two.
 */
export class SendWindow {
  #size = WINDOW_FIRST;

  get size(): number {
    return this.#size;
  }

  note({ status, isCut = false }: Pick<SendOutcome, 'status' | 'isCut'>): void {
    this.#size =
      status === null || isCut
        ? Math.max(1, Math.floor(this.#size / 2))
        : Math.min(WINDOW_MAX, this.#size + 1);
  }
}
