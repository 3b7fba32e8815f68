/** Equals the time for which orders skip an element that does not answer. */
const LEFT_ALONE_MS = 10_000;
/** A quick failure costs other accounts no time, and a single line may simply be unknown. */
const SLOW_MS = 1_000;

/** What one account's part of a check knows about elements that do not answer. */
export interface SilentInCheck {
  has(element: string): boolean;
  /** A whole batch got no answer, after this wait. */
  add(element: string, waitedMs: number): void;
  names(): readonly string[];
}

/**
 * Elements that gave no answer for a whole batch of lines. Waiting out their time-out for every batch could take
 * days, so a silent element is skipped for the rest of the account. If the wait was long, other accounts of the same
 * check skip it for a while too.
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
