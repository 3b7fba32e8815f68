import type { Callback } from '../sdk/callbacks.ts';
import { describeMatch, type Match, matches, shorten } from './match.ts';
import { real } from './real-time.ts';

/** A callback that the sandbox has received. */
export interface HeardCallback {
  /** The header `webhook-id`: the same for each attempt to deliver it. */
  readonly id: string | undefined;
  /** Such as `CarrierService`; undefined where neither the payload nor the service's log tells. */
  readonly service: string | undefined;
  readonly payload: Callback['payload'];
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** With its query, as it was called. */
  readonly path: string;
  /** When it came, in real time. */
  readonly at: string;
  /** Checked where the sandbox knows the secret: see `callbacks.addSecret`. */
  readonly signature: 'valid' | 'invalid' | 'not checked';
  /** What the signature is of. */
  readonly rawBody: string;
}

/** So many are kept, and so much of them; then the oldest are forgotten. */
export const HEARD_MAX = 50_000;
export const HEARD_BYTES_MAX = 64 * 1024 * 1024;
const SHOWN_MAX = 10;

interface Waiter {
  readonly match: Match<HeardCallback>;
  readonly resolve: (found: HeardCallback) => void;
}

const describe = ({ service, path, payload }: HeardCallback): string =>
  `\n  ${service ?? 'a service that cannot be told'} at ${path}: ${shorten(JSON.stringify(payload))}`;

/** What was heard so far, the oldest first, and who waits for more. */
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

  /** The first that fits, of those that were heard and those that come; undefined when none does in time. */
  async find(match: Match<HeardCallback>, withinMs: number): Promise<HeardCallback | undefined> {
    const known = this.#heard.find((one) => matches(match, one));
    if (known !== undefined) return known;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        match: (one) => {
          try {
            return matches(match, one);
          } catch (error) {
            // A predicate of the test: what it throws is for the test.
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

  /** For who waited in vain: what there was instead. */
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
