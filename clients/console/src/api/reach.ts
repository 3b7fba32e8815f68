import { LinekeeperError } from '../../../sdk/index.ts';

/** Times of this page, as `performance.now()` has them. */
export interface Silence {
  readonly since: number;
  /** When something was answered last. */
  readonly heardAt: number;
}

let heardAt = performance.now();
let silence: Silence | undefined;
const listeners = new Set<() => void>();

export function noteAnswer(): void {
  heardAt = performance.now();
  if (silence === undefined) return;
  silence = undefined;
  for (const listener of listeners) listener();
}

export function noteSilence(): void {
  if (silence !== undefined) return;
  silence = { since: performance.now(), heardAt };
  for (const listener of listeners) listener();
}

/** What stands before a service answers so when the service does not. */
const OF_A_PROXY = new Set([502, 503, 504]);
/** Whether it was the service that answered; undefined where the page itself has lost interest. */
export function hasAnswered(error: unknown): boolean | undefined {
  if (!(error instanceof LinekeeperError)) return undefined;
  return error.status > 0 && error.kind !== 'unreadable' && !OF_A_PROXY.has(error.status);
}

/** Undefined while the service answers. */
export const readSilence = (): Silence | undefined => silence;
export function onSilence(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
