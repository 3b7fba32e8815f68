import { realClock } from '../../../platform/clock/clock.ts';

/** Answers everybody who asks for the same thing from one reading; one that fails is nobody else's. */
type ShareReading<T> = (key: string, read: () => Promise<T>) => Promise<T>;

interface Shared<T> {
  readonly untilMs: number;
  readonly reading: Promise<T>;
}

export function shareReadings<T>(
  { forMs, keysMax }: { readonly forMs: number; readonly keysMax: number },
  realNow: () => Date = realClock.now,
): ShareReading<T> {
  const known = new Map<string, Shared<T>>();
  return (key, read) => {
    const nowMs = realNow().getTime();
    const shared = known.get(key);
    if (shared !== undefined && shared.untilMs > nowMs) return shared.reading;
    const reading = read();
    known.delete(key);
    known.set(key, { untilMs: nowMs + forMs, reading });
    if (known.size > keysMax) known.delete(known.keys().next().value!);
    reading.catch(() => {
      if (known.get(key)?.reading === reading) known.delete(key);
    });
    return reading;
  };
}
