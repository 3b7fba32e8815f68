import type { Callback } from '../sdk/callbacks.ts';
import { describeMatch, type Match, matches, shorten } from './match.ts';
import { real } from './real-time.ts';

/** A callback that the sandbox has received. */
export interface HeardCallback {
  /** The header `webhook-id`, the same for each delivery attempt. */
  readonly id: string | undefined;
  /** For example `CarrierService`; undefined if neither the payload nor the delivery log identifies it. */
  readonly service: string | undefined;
  readonly payload: Callback['payload'];
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The path with its query. */
  readonly path: string;
  /** Real time of arrival. */
  readonly at: string;
  /** Checked if the sandbox knows the secret; see `callbacks.addSecret`. */
  readonly signature: 'valid' | 'invalid' | 'not checked';
  /** The raw body that the signature covers. */
  readonly rawBody: string;
}

/** Limits on the number and the size of stored callbacks; the oldest are dropped. */
export const HEARD_MAX = 50_000;
export const HEARD_BYTES_MAX = 64 * 1024 * 1024;
const SHOWN_MAX = 10;

interface Waiter {
  readonly match: Match<HeardCallback>;
  readonly resolve: (found: HeardCallback) => void;
}

const describe = ({ service, path, payload }: HeardCallback): string =>
  `\n  ${service ?? 'a service that cannot be told'} at ${path}: ${shorten(JSON.stringify(payload))}`;

/** The received callbacks, oldest first, and the pending waits. */
export class HeardCallbacks {
  #heard: HeardCallback[] = [];
  #bytes = 0;
  #forgotten = 0;
  readonly #waiting = new Set<Waiter>();

  add(one: HeardCallback): void {
    this.#heard.push(one);
    this.#bytes += one.rawBody.length;
    while (this.#heard.length > HEARD_MAX || this.#bytes > HEARD_BYTES_MAX) {
      this.#bytes -= this.#heard.shift()!.rawBody.length;
      this.#forgotten++;
    }
    for (const waiter of this.#waiting) {
      if (!matches(waiter.match, one)) continue;
      this.#waiting.delete(waiter);
      waiter.resolve(one);
    }
  }

  all(match?: Match<HeardCallback>): HeardCallback[] {
    return this.#heard.filter((one) => matches(match, one));
  }

  clear(): void {
    this.#heard = [];
    [this.#bytes, this.#forgotten] = [0, 0];
  }

  /** The first match among received and future callbacks; undefined if none arrives in time. */
  async find(match: Match<HeardCallback>, withinMs: number): Promise<HeardCallback | undefined> {
    const known = this.#heard.find((one) => matches(match, one));
    if (known !== undefined) return known;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        match: (one) => {
          try {
            return matches(match, one);
          } catch (error) {
            // Errors of the test's predicate are passed to the test.
            giveUp();
            this.#waiting.delete(waiter);
            reject(error);
            return false;
          }
        },
        resolve: (found) => {
          giveUp();
          resolve(found);
        },
      };
      const giveUp = real.after(withinMs, () => {
        this.#waiting.delete(waiter);
        resolve(undefined);
      });
      this.#waiting.add(waiter);
    });
  }

  /** The message of a failed wait, with the callbacks received instead. */
  describeInstead(match: unknown, withinMs: number): string {
    const head = `No callback has come within ${withinMs} ms that is ${describeMatch(match)}.`;
    const all = this.#heard;
    if (all.length === 0) return `${head} None has come at all.`;
    const forgotten = this.#forgotten > 0 ? `, and ${this.#forgotten} older ones were forgotten` : '';
    const more = all.length > SHOWN_MAX ? `\n  and ${all.length - SHOWN_MAX} before them` : '';
    const shown = all.slice(-SHOWN_MAX).map(describe).join('');
    return `${head} Heard instead (${all.length}${forgotten}):${shown}${more}`;
  }
}
