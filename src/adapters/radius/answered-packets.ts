/** Whoever gets no answer sends the same packet again within this time. */
const KEPT_MS = 30_000;
const KEPT_MAX = 50_000;

interface Entry {
  readonly sinceMs: number;
  /** Undefined while it is being worked. */
  answer: Buffer | undefined;
}

/** Packets that came lately, by who sent them, their identifier and authenticator: one that comes again is not worked again. */
export function rememberPackets(nowMs: () => number = () => performance.now()) {
  // In the order in which they came.
  const entries = new Map<string, Entry>();

  function forgetOld(): void {
    const before = nowMs() - KEPT_MS;
    for (const [key, { sinceMs }] of entries) {
      if (sinceMs > before && entries.size < KEPT_MAX) return;
      entries.delete(key);
    }
  }

  return {
    /** `new` where it has to be worked; else its answer, or undefined while there is none. */
    see(key: string): 'new' | Buffer | undefined {
      forgetOld();
      const known = entries.get(key);
      if (known !== undefined) return known.answer;
      entries.set(key, { sinceMs: nowMs(), answer: undefined });
      return 'new';
    },
    answered(key: string, answer: Buffer): void {
      const entry = entries.get(key);
      if (entry !== undefined) entry.answer = answer;
    },
    /** It was not worked: the next one is. */
    forget: (key: string): void => void entries.delete(key),
    get size(): number {
      return entries.size;
    },
  };
}
