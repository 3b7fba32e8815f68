import { createHash } from 'node:crypto';

/** A reproducible stream of random choices, so that the demo fleet is the same at every start. */
export interface Generator {
  /** A whole number from 0 up to but not including `bound`. */
  below(bound: number): number;
  /** A number between the bounds, rounded to `decimals`. */
  between(low: number, high: number, decimals?: number): number;
  pick<T>(choices: readonly T[]): T;
  digits(count: number): string;
}

export function seeded(seed: string): Generator {
  let state = createHash('sha256').update(seed).digest().readUInt32BE();
  /** Mulberry32: small, even enough, and the same on every machine. */
  const draw = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(draw() * bound);
  return {
    below,
    between: (low, high, decimals = 0) => Number((low + draw() * (high - low)).toFixed(decimals)),
    pick: (choices) => choices[below(choices.length)]!,
    digits: (count) => Array.from({ length: count }, () => below(10)).join(''),
  };
}

/** A permanent id for a name (UUID version 8: custom scheme). */
export function idOf(name: string): string {
  const hex = createHash('sha256').update(`linekeeper demo/${name}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

const DAY_MS = 86_400_000;

/** Midnight UTC, this many days ago. */
export const daysBefore = (now: Date, days: number): string =>
  new Date(Math.floor(now.getTime() / DAY_MS - days) * DAY_MS).toISOString();

export const dayBefore = (now: Date, days: number): string => daysBefore(now, days).slice(0, 10);
