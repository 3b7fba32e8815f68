import { createHash } from 'node:crypto';

export interface SeededRandom {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
  shuffle<T>(list: readonly T[]): T[];
  /** A separate generator, which does not depend on draws from this one. */
  fork(name: string): SeededRandom;
}

/** What everything random in a run is drawn from; `test/run.ts` decides it. */
export const TEST_SEED = Number(process.env['TEST_SEED'] ?? 1);

/** The same numbers for the same seed, on any machine. */
export function openRandom(seed: string): SeededRandom {
  // mulberry32: four bytes of state are enough for a schedule.
  let state = createHash('sha256').update(seed).digest().readUInt32LE();
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    pick: (list) => list[between(0, list.length - 1)]!,
    shuffle(list) {
      const shuffled = [...list];
      for (let n = shuffled.length - 1; n > 0; n--) {
        const other = between(0, n);
        [shuffled[n], shuffled[other]] = [shuffled[other]!, shuffled[n]!];
      }
      return shuffled;
    },
    fork: (name) => openRandom(`${seed}/${name}`),
  };
}

/** The draws of one test, which are other ones in every run with another seed, and do not depend on other tests. */
export const randomFor = (name: string): SeededRandom => openRandom(`${TEST_SEED}/${name}`);
