import { type Records, tracesBetween } from './life/records.ts';
import type { Driven } from './roster.ts';

/** The records that the fleet sends in a stretch of time: the body and the number of records of each feed. */
export type Stretch = Readonly<Record<keyof Records, { readonly count: number; readonly body: string }>>;

const bodyOf = (records: readonly object[]) => ({
  count: records.length,
  body: records.map((record) => JSON.stringify(record)).join('\n'),
});

type Part = Stretch[keyof Stretch];

const both = (first: Part, then: Part): Part => ({
  count: first.count + then.count,
  body: [first.body, then.body].filter((body) => body !== '').join('\n'),
});

/** Joins two adjacent stretches. */
export const joinStretches = (first: Stretch, then: Stretch): Stretch => ({
  usage: both(first.usage, then.usage),
  positions: both(first.positions, then.positions),
  readings: both(first.readings, then.readings),
});

/** The records of all devices after `from` and until `to`. */
export function stretchOf(devices: readonly Driven[], seed: string, from: number, to: number): Stretch {
  const sent = { usage: [] as object[], positions: [] as object[], readings: [] as object[] };
  for (const device of devices) {
    const { usage, positions, readings } = tracesBetween(device, seed, new Date(from), new Date(to));
    sent.usage.push(...usage);
    sent.positions.push(...positions);
    sent.readings.push(...readings);
  }
  return {
    usage: bodyOf(sent.usage),
    positions: bodyOf(sent.positions),
    readings: bodyOf(sent.readings),
  };
}
