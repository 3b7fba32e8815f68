/** More wait than could be served in a reasonable time. */
export class Crowded extends Error {}

/**
 * A number of places that lanes share: while all are taken, lanes wait in turn, so that one with much to do gets no
 * more of them than one with little.
 */
export class FairSlots {
  #free: number;
  readonly #waitingMax: number;
  readonly #laneMax: number;
  #waitingCount = 0;
  /** Lanes that wait, in the order of their turns, each with those of its own who wait. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Of one lane no more than `laneMax` wait, so that it cannot take up all the room there is for waiting. */
  constructor(places: number, waitingMax: number, laneMax = waitingMax) {
    this.#free = places;
    this.#waitingMax = waitingMax;
    this.#laneMax = laneMax;
  }

  get waiting(): number {
    return this.#waitingCount;
  }

  #take(lane: string): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve();
    }
    const own = this.#waiting.get(lane);
    if (this.#waitingCount >= this.#waitingMax || (own?.length ?? 0) >= this.#laneMax)
      return Promise.reject(new Crowded('too many wait already'));
    const { promise, resolve } = Promise.withResolvers<void>();
    if (own === undefined) this.#waiting.set(lane, [resolve]);
    else own.push(resolve);
    this.#waitingCount++;
    return promise;
  }

  /** The place goes to the lane whose turn it is, which then waits behind the others. */
  #give(): void {
    const next = this.#waiting.entries().next().value;
    if (next === undefined) {
      this.#free++;
      return;
    }
    const [lane, own] = next;
    const first = own.shift()!;
    this.#waiting.delete(lane);
    if (own.length > 0) this.#waiting.set(lane, own);
    this.#waitingCount--;
    first();
  }

  /** Whoever gives up while waiting hands its place on when it comes. */
  async run<T>(lane: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const place = this.#take(lane);
    if (signal !== undefined) await this.#unlessAborted(place, signal);
    else await place;
    try {
      return await work();
    } finally {
      this.#give();
    }
  }

  async #unlessAborted(place: Promise<void>, signal: AbortSignal): Promise<void> {
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await Promise.race([place, aborted]);
    } catch (error) {
      place.then(
        () => this.#give(),
        () => {},
      );
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}
