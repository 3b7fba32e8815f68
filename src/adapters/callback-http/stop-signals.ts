import type { Attempt } from './attempt.ts';

export interface StopSignals {
  /** Breaks the attempt off when the signal comes. */
  watch(signal: AbortSignal, attempt: Attempt): void;
  forget(signal: AbortSignal, attempt: Attempt): void;
}

/** One signal stands for a whole lease and thousands of attempts, so it gets one event listener and not thousands. */
export function createStopSignals(): StopSignals {
  const watched = new WeakMap<AbortSignal, Set<Attempt>>();

  function attemptsOf(signal: AbortSignal): Set<Attempt> {
    const found = watched.get(signal);
    if (found !== undefined) return found;
    const attempts = new Set<Attempt>();
    watched.set(signal, attempts);
    signal.addEventListener(
      'abort',
      () => {
        for (const attempt of attempts) attempt.breakOff('stopped');
      },
      { once: true },
    );
    return attempts;
  }

  return {
    watch: (signal, attempt) => void attemptsOf(signal).add(attempt),
    forget: (signal, attempt) => void watched.get(signal)?.delete(attempt),
  };
}
