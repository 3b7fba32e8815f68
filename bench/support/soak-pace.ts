import { setTimeout as sleep } from 'node:timers/promises';
import type { Kind } from './soak-calls.ts';
import { percentile } from './statistics.ts';

/** Error reasons kept for each minute; the others are only counted. */
const REASONS_MAX = 3;

/** The calls of one minute. */
export interface Minute {
  readonly p99Ms: ReadonlyMap<string, number>;
  readonly calls: number;
  readonly late: number;
  readonly errors: number;
  readonly reasons: readonly string[];
}

export interface Pace {
  /** Returns the figures since the previous call. */
  take(): Minute;
  /** Starts no more calls, and waits for those in progress. */
  stop(): Promise<void>;
}

/** Makes every kind of call at its own rate, however fast the service answers. */
export function startPace(kinds: readonly Kind[]): Pace {
  const stopping = new AbortController();
  let took = new Map<string, number[]>(kinds.map(({ name }) => [name, []]));
  let [late, errors, reasons] = [0, 0, [] as string[]];

  async function make({ name, call }: Kind, nth: number): Promise<void> {
    const startedAt = performance.now();
    try {
      await call(nth);
    } catch (error) {
      errors++;
      if (reasons.length < REASONS_MAX) reasons.push(`${name}: ${(error as Error).message}`);
    }
    took.get(name)!.push(performance.now() - startedAt);
  }

  async function repeat(kind: Kind): Promise<void> {
    const underWay = new Set<Promise<void>>();
    const startedAt = performance.now();
    for (let turn = 0, nth = 0; !stopping.signal.aborted; turn++) {
      // Skips a call beyond the limit, because a stalled service must not be flooded.
      if (underWay.size >= kind.atOnce) late++;
      else {
        const made = make(kind, nth++).finally(() => underWay.delete(made));
        underWay.add(made);
      }
      const restMs = startedAt + (turn + 1) * kind.everyMs - performance.now();
      await sleep(Math.max(0, restMs), undefined, { signal: stopping.signal }).catch(() => {});
    }
    await Promise.all(underWay);
  }

  const loops = kinds.map(repeat);
  return {
    take() {
      const of = [...took];
      const minute = {
        p99Ms: new Map(of.map(([name, ms]) => [name, ms.length === 0 ? Number.NaN : percentile(ms, 99)])),
        calls: of.reduce((sum, [, ms]) => sum + ms.length, 0),
        ...{ late, errors, reasons },
      };
      took = new Map(of.map(([name]) => [name, []]));
      [late, errors, reasons] = [0, 0, []];
      return minute;
    },
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}
