/** As long as orders leave an element alone that does not answer. */
const LEFT_ALONE_MS = 10_000;
/** One that says nothing sooner costs others no time; and of a single line it may know nothing to say. */
const SLOW_MS = 1_000;

/** What one account's part of a check knows of elements that do not answer. */
export interface SilentInCheck {
  has(element: string): boolean;
  /** It has said nothing of a batch, and was waited for so long. */
  add(element: string, waitedMs: number): void;
  names(): readonly string[];
}

/**
 * Elements that said nothing of a whole batch of lines: a check that waited out their time-out for every batch could take days. One
 * that falls silent stays so to the end of the account. If it took its time for that, other accounts of the same check do not ask
 * it for a while.
 */
export class SilentElements {
  readonly #seenAtMs = new Map<string, number>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  #forgetOld(): void {
    for (const [key, seenAtMs] of this.#seenAtMs)
      if (this.#nowMs() >= seenAtMs + LEFT_ALONE_MS) this.#seenAtMs.delete(key);
  }

  begin(check: string): SilentInCheck {
    const silent = new Set<string>();
    const keyOf = (element: string) => `${check} ${element}`;
    return {
      has: (element) => {
        this.#forgetOld();
        if (this.#seenAtMs.has(keyOf(element))) silent.add(element);
        return silent.has(element);
      },
      add: (element, waitedMs) => {
        silent.add(element);
        if (waitedMs >= SLOW_MS) this.#seenAtMs.set(keyOf(element), this.#nowMs());
      },
      names: () => [...silent].toSorted(),
    };
  }
}
