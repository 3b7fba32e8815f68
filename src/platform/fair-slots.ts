/**
 * A number of places that lanes share: while all are taken, lanes wait in turn, so that one with much to do gets no
 * more of them than one with little.
 */
export class FairSlots {
  #free: number;
  /** Lanes that wait, in the order of their turns, each with those of its own who wait. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(places: number) {
    this.#free = places;
  }

  get waiting(): number {
    return this.#waiting.values().reduce((sum, lane) => sum + lane.length, 0);
  }

  async #take(lane: string): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const own = this.#waiting.get(lane);
    if (own === undefined) this.#waiting.set(lane, [resolve]);
    else own.push(resolve);
    await promise;
  }

  /** The place goes to the lane whose turn it is, which then waits behind the others. */
  #give(): void {
    const next = this.#waiting.entries().next().value;
    if (next === undefined) {
      this.#free++;
      return;
    }
    const [lane, own] = next;
    const [first, ...rest] = own;
    this.#waiting.delete(lane);
    if (rest.length > 0) this.#waiting.set(lane, rest);
    first!();
  }

  async run<T>(lane: string, work: () => Promise<T>): Promise<T> {
    await this.#take(lane);
    try {
      return await work();
    } finally {
      this.#give();
    }
  }
}
