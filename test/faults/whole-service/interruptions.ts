/** A period of real time in which an attempt may be made that cannot be recorded and is repeated. */
export interface Interruption {
  readonly from: number;
  to: number;
}

export interface Interruptions {
  readonly all: readonly Interruption[];
  /** Records an interruption for the duration of `work` and this time afterwards. */
  during<T>(afterMs: number, work: () => Promise<T>): Promise<T>;
  close(): void;
}

const TICK_MS = 250;
const STALL_MS = 1_500;
/** On a busy machine, data that a process wrote before it was killed may arrive later. */
const HEARD_LATE_MS = 2_000;

export function openInterruptions(): Interruptions {
  const all: Interruption[] = [];
  let last = Date.now();
  // A stalled machine makes healthy processes lose their leases.
  const ticking = setInterval(() => {
    const now = Date.now();
    if (now - last > TICK_MS + STALL_MS) all.push({ from: last, to: now });
    last = now;
  }, TICK_MS);
  return {
    all,
    async during(afterMs, work) {
      const interruption = { from: Date.now(), to: Number.POSITIVE_INFINITY };
      all.push(interruption);
      try {
        return await work();
      } finally {
        interruption.to = Date.now() + afterMs + HEARD_LATE_MS;
      }
    },
    close: () => clearInterval(ticking),
  };
}
