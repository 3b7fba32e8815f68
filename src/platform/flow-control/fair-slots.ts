/** More callers are waiting than can be served in a reasonable time. */
export class Crowded extends Error {}

/** The lane of a caller, and within it, optionally, a lane of its own. */
type Lane = string | readonly [lane: string, within: string];

interface Waiter {
  readonly enter: () => void;
  readonly leave: (reason: unknown) => void;
}

/** The waiting callers of one lane, whose inner lanes take turns. */
class Line {
  readonly #within = new Map<string, Waiter[]>();
  length = 0;

  add(within: string, waiter: Waiter): void {
    const own = this.#within.get(within);
    if (own === undefined) this.#within.set(within, [waiter]);
    else own.push(waiter);
    this.length++;
  }

  remove(within: string, waiter: Waiter): void {
    const own = this.#within.get(within) ?? [];
    own.splice(own.indexOf(waiter), 1);
    if (own.length === 0) this.#within.delete(within);
    this.length--;
  }

  shift(): Waiter {
    const [within, own] = this.#within.entries().next().value!;
    const first = own.shift()!;
    this.#within.delete(within);
    if (own.length > 0) this.#within.set(within, own);
    this.length--;
    return first;
  }

  /** The last caller of the longest inner lane. */
  get last(): Waiter {
    return [...this.#within.values()].reduce((most, own) => (own.length > most.length ? own : most)).at(-1)!;
  }
}

/**
 * Places that lanes share. While all are taken, waiting lanes take turns, so a lane with much to do gets no more places
 * than one with little.
 */
export class FairSlots {
  #free: number;
  readonly #waitingMax: number;
  readonly #waitMs: number | undefined;
  #waitingCount = 0;
  /** Waiting lanes, in the order of their turns. */
  readonly #waiting = new Map<string, Line>();

  /** A caller waits at most `waitMs`, if it is given. */
  constructor(places: number, waitingMax: number, waitMs?: number) {
    this.#free = places;
    this.#waitingMax = waitingMax;
    this.#waitMs = waitMs;
  }

  get waiting(): number {
    return this.#waitingCount;
  }

  #take(lane: Lane, signal: AbortSignal | undefined): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve();
    }
    const [name, within] = typeof lane === 'string' ? [lane, ''] : lane;
    this.#makeRoom(name);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => waiter.leave(signal?.reason);
    const end = (settle: () => void) => {
      clearTimeout(patience);
      signal?.removeEventListener('abort', giveUp);
      settle();
    };
    const waiter: Waiter = {
      enter: () => end(resolve),
      leave: (reason) => {
        this.#remove(name, within, waiter);
        end(() => reject(reason));
      },
    };
    const patience =
      this.#waitMs === undefined
        ? undefined
        : setTimeout(() => waiter.leave(new Crowded('waited too long')), this.#waitMs);
    signal?.addEventListener('abort', giveUp, { once: true });
    this.#add(name, within, waiter);
    return promise;
  }

  /** If the queue is full, the last caller of the longest lane is rejected. */
  #makeRoom(name: string): void {
    if (this.#waitingCount < this.#waitingMax) return;
    const [longest, line] = [...this.#waiting].reduce((most, one) =>
      one[1].length > most[1].length ? one : most,
    );
    const crowded = new Crowded('too many wait already');
    if (longest === name) throw crowded;
    line.last.leave(crowded);
  }

  #add(name: string, within: string, waiter: Waiter): void {
    const line = this.#waiting.get(name) ?? new Line();
    this.#waiting.set(name, line);
    line.add(within, waiter);
    this.#waitingCount++;
  }

  #remove(name: string, within: string, waiter: Waiter): void {
    const line = this.#waiting.get(name)!;
    line.remove(within, waiter);
    if (line.length === 0) this.#waiting.delete(name);
    this.#waitingCount--;
  }

  /** Gives the free place to the first lane, which then moves behind the others. */
  #give(): void {
    const next = this.#waiting.entries().next().value;
    if (next === undefined) {
      this.#free++;
      return;
    }
    const [name, line] = next;
    const first = line.shift();
    this.#waiting.delete(name);
    if (line.length > 0) this.#waiting.set(name, line);
    this.#waitingCount--;
    first.enter();
  }

  /** A caller whose signal aborts while it waits leaves the queue. */
  async run<T>(lane: Lane, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    await this.#take(lane, signal);
    try {
      return await work();
    } finally {
      this.#give();
    }
  }
}
