import { LinekeeperError } from '../../../sdk/index.ts';

/** Times from `performance.now()`. */
export interface Silence {
  readonly since: number;
  /** Time of the last answer. */
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

/** Statuses from a proxy whose service does not answer. */
const OF_A_PROXY = new Set([502, 503, 504]);
/** Whether the service answered; undefined if the page cancelled the request. */
export function hasAnswered(error: unknown): boolean | undefined {
  if (!(error instanceof LinekeeperError)) return undefined;
  return error.status > 0 && error.kind !== 'unreadable' && !OF_A_PROXY.has(error.status);
}

/** The current silence; undefined while the service answers. */
export const readSilence = (): Silence | undefined => silence;
export function onSilence(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
