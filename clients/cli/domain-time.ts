import type { Invocation } from './invocation.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** The offset of the service's clock from real time, in its two largest units. */
export function describeOffset(offsetMs: number): string {
  let left = Math.abs(offsetMs);
  const words: string[] = [];
  for (const [unit, ms] of UNITS) {
    const count = Math.floor(left / ms);
    left -= count * ms;
    if (count > 0 && words.length < 2) words.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
  }
  if (words.length === 0) return 'none: it is real time';
  return `${words.join(' ')} ${offsetMs > 0 ? 'ahead of' : 'behind'} real time`;
}

/** A note on the times in a list; absent if the clock shows real time or the key may not read it. */
export async function remarkOnTimes({ api }: Invocation): Promise<string | undefined> {
  const clock = await api.call('GET /operator/v1/clock').catch(() => undefined);
  if (clock === undefined || Math.abs(clock.offsetMs) < 1_000) return undefined;
  return `Times are from the service's clock: ${describeOffset(clock.offsetMs)}.`;
}
