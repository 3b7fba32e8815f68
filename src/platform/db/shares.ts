import { Unreachable } from './failures.ts';
import { type Place, shareOf } from './servers.ts';

interface Waiter {
  readonly enter: () => void;
}

/** Limits the connections used for one server of a distributed database, so that a slow server leaves some to the others. */
export class Shares {
  readonly #connections: number;
  readonly #taken = new Map<Place, number>();
  readonly #waiting = new Map<Place, Set<Waiter>>();

  constructor(connections: number) {
    this.#connections = connections;
  }

  /** At least two, because some work needs a second connection while it holds one. */
  #maxOf = (place: Place): number => Math.max(2, Math.floor(this.#connections * (shareOf(place) ?? 1)));

  isCrowded = (place: Place): boolean => this.#waiting.has(place);

  /** Fails after `waitMs` as if the server did not answer. */
  async take(place: Place, waitMs: number): Promise<void> {
    if ((this.#taken.get(place) ?? 0) >= this.#maxOf(place)) return this.#wait(place, waitMs);
    this.add(place);
  }

  /** For a caller that has a connection already: if it waited, callers with a share would wait for that connection. */
  add(place: Place): void {
    this.#taken.set(place, (this.#taken.get(place) ?? 0) + 1);
  }

  give(place: Place): void {
    const [next] = this.#waiting.get(place) ?? [];
    const left = this.#taken.get(place)! - 1;
    if (next !== undefined && left < this.#maxOf(place)) next.enter();
    else if (left === 0) this.#taken.delete(place);
    else this.#taken.set(place, left);
  }

  #wait(place: Place, waitMs: number): Promise<void> {
    const waiting = this.#waiting.get(place) ?? new Set();
    this.#waiting.set(place, waiting);
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        waiting.delete(waiter);
        if (waiting.size === 0) this.#waiting.delete(place);
      };
      const waiter = {
        enter: () => {
          leave();
          resolve();
        },
      };
      const timer = setTimeout(() => {
        leave();
        reject(new Unreachable(`too many wait for ${place}`));
      }, waitMs);
      waiting.add(waiter);
    });
  }
}
