import { setTimeout as sleep } from 'node:timers/promises';
import type { Kind } from './soak-calls.ts';
import { percentile } from './statistics.ts';

/** Of the reasons of a minute, which are all kept only as a number. */
const REASONS_MAX = 3;

/** What the calls of a minute were like. */
export interface Minute {
  readonly p99Ms: ReadonlyMap<string, number>;
  readonly calls: number;
  readonly late: number;
  readonly errors: number;
  readonly reasons: readonly string[];
}

export interface Pace {
  /** Of the time since it was last asked. */
  take(): Minute;
  /** Begins nothing more, and waits for what is under way. */
  stop(): Promise<void>;
}

/** Makes every kind of call at its own pace, whether the service answers fast or not. */
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
      // What would come on top is not made: a service that stalls is not flooded.
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
