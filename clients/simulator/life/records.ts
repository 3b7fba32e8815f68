import { chance } from './chance.ts';
import { type Device, DRAW, hourOf, localTime, rootOf } from './device.ts';
import { bytesAnHour, type Profile, profileOf } from './profile.ts';
import { readingOf } from './readings.ts';
import { outageEnd, phaseOf, sizeOf, stateOf } from './state.ts';
import { HOUR, MINUTE } from './time.ts';

const LATE_SHARE = 0.04;
const LATE_MAX = 5 * HOUR;
const REPEATED_SHARE = 0.03;
const REPEAT_MAX = 30 * MINUTE;
/** Largest age of a record when it is sent: late, held back by an outage, and repeated. */
const LOOK_BACK = LATE_MAX + HOUR + REPEAT_MAX;
/** For readings, only an outage delays sending. */
const HELD_BACK = HOUR;
/** Every device sends a report within this time plus its interval, because outages of two blocks may touch. */
const SILENT_MAX = 2 * HOUR;

interface Sent {
  readonly kind: Device['kind'];
  readonly device: string;
  readonly at: string;
}
export interface UsageRecord extends Sent {
  readonly id: string;
  readonly bytes: number;
  readonly apn: string;
  readonly ratingGroup: string;
  readonly countryCode: string;
}
export interface PositionRecord extends Sent {
  readonly lat: number;
  readonly lon: number;
  readonly radius: number;
  /** Moving devices report exact positions; the network knows an approximate one for the others. */
  readonly accuracy: 'coarse' | 'precise';
}
export interface ReadingRecord extends Sent {
  readonly values: Readonly<Record<string, number | boolean>>;
}
export interface Records {
  readonly usage: readonly UsageRecord[];
  readonly positions: readonly PositionRecord[];
  readonly readings: readonly ReadingRecord[];
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The ends of slots in (from, to], with their numbers. */
function* slotEnds(
  root: number,
  everyMs: number,
  { from, to }: Stretch,
): Iterable<[slot: number, at: number]> {
  const phase = phaseOf(root, everyMs);
  for (let slot = Math.floor((from - phase) / everyMs) + 1; slot * everyMs + phase <= to; slot++)
    yield [slot, slot * everyMs + phase];
}

/** The end of a stretch, with the newest report in it. */
const endOf = ({ from, to }: Stretch, everyMs: number): Stretch => ({
  from: Math.max(from, to - SILENT_MAX - everyMs),
  to,
});

/** Time at which a record is sent: at once or hours later, and never out of coverage. */
function sentAt(device: Device, root: number, slot: number, at: number): number {
  const late = chance(root, DRAW.late, slot) < LATE_SHARE ? LATE_MAX * chance(root, DRAW.lateness, slot) : 0;
  const ready = Math.floor(at + late);
  return outageEnd(device, root, ready) ?? ready;
}

/** The same record again, as from a sender that missed the answer. */
function repeatedAt(root: number, slot: number, first: number): number | undefined {
  if (chance(root, DRAW.repeat, slot) >= REPEATED_SHARE) return undefined;
  return first + Math.floor(REPEAT_MAX * (0.1 + 0.9 * chance(root, DRAW.repeatAfter, slot)));
}

function bytesOf(
  device: Device,
  seed: string,
  root: number,
  slot: number,
  end: number,
  profile: Profile,
): number {
  const length = profile.usageEveryMs ?? 0;
  const middle = end - length / 2;
  const rate = profile.sleeps
    ? bytesAnHour(profile, hourOf(localTime(middle, device.home))) * sizeOf(root)
    : stateOf(device, seed, new Date(middle)).bytesAnHour;
  return Math.round((rate * length * (0.6 + 0.8 * chance(root, DRAW.bytes, slot))) / HOUR);
}

function usageOf(
  device: Device,
  seed: string,
  root: number,
  { from, to }: Stretch,
  profile: Profile,
): UsageRecord[] {
  const { usageEveryMs, apn } = profile;
  if (usageEveryMs === undefined) return [];
  const found: { readonly sentAt: number; readonly record: UsageRecord }[] = [];
  const within = (at: number) => at > from && at <= to;
  for (const [slot, at] of slotEnds(root, usageEveryMs, { from: from - LOOK_BACK, to })) {
    const first = sentAt(device, root, slot, at);
    const times = [first, repeatedAt(root, slot, first)].filter((at) => at !== undefined).filter(within);
    if (times.length === 0) continue;
    const bytes = bytesOf(device, seed, root, slot, at, profile);
    // The id consists of the device and the slot, so repetitions count once.
    const record = {
      id: `sim-${seed}-${device.id}-${slot}`,
      kind: device.kind,
      device: device.id,
      at: new Date(at).toISOString(),
      bytes,
      apn,
      ratingGroup: '100',
      countryCode: 'USA',
    };
    if (bytes > 0) found.push(...times.map((sentAt) => ({ sentAt, record })));
  }
  // In sending order, so that the record that crosses a threshold does not depend on the stretches.
  return found.sort((a, b) => a.sentAt - b.sentAt).map(({ record }) => record);
}

function positionsOf(
  device: Device,
  seed: string,
  root: number,
  stretch: Stretch,
  { positionEveryMs, travels }: Profile,
): PositionRecord[] {
  if (positionEveryMs === undefined) return [];
  const accuracy = travels ? 'precise' : 'coarse';
  const found: PositionRecord[] = [];
  for (const [, at] of slotEnds(root, positionEveryMs, stretch)) {
    const { online, position } = stateOf(device, seed, new Date(at));
    if (online)
      found.push({
        kind: device.kind,
        device: device.id,
        at: new Date(at).toISOString(),
        ...position,
        accuracy,
      });
  }
  return found;
}

/** Readings from an outage are sent after it, in order. */
function readingsOf(
  device: Device,
  root: number,
  { from, to }: Stretch,
  everyMs: number | undefined,
): ReadingRecord[] {
  if (everyMs === undefined) return [];
  const found: ReadingRecord[] = [];
  for (const [, at] of slotEnds(root, everyMs, { from: from - HELD_BACK, to })) {
    const sent = outageEnd(device, root, at) ?? at;
    const values = sent > from && sent <= to ? readingOf(device, root, at) : undefined;
    if (values !== undefined)
      found.push({ kind: device.kind, device: device.id, at: new Date(at).toISOString(), values });
  }
  return found;
}

/**
 * Everything that a device sends after `from` and until `to`. Adjacent stretches give the same records as one
 * stretch over both, so that results do not depend on the ticks.
 */
export function recordsBetween(device: Device, seed: string, from: Date, to: Date): Records {
  const [root, profile] = [rootOf(device, seed), profileOf(device.profile)];
  const stretch = { from: from.getTime(), to: to.getTime() };
  return {
    usage: usageOf(device, seed, root, stretch, profile),
    positions: positionsOf(device, seed, root, stretch, profile),
    readings: readingsOf(device, root, stretch, profile.readingEveryMs),
  };
}

/**
 * The same without records that leave no trace: the cache keeps only the newest position, and for a device
 * without rules the service keeps only the newest reading.
 */
export function tracesBetween(device: Device, seed: string, from: Date, to: Date): Records {
  const [root, profile] = [rootOf(device, seed), profileOf(device.profile)];
  const { positionEveryMs = 0, readingEveryMs = 0 } = profile;
  const stretch = { from: from.getTime(), to: to.getTime() };
  const measured = device.unwatched ? endOf(stretch, readingEveryMs) : stretch;
  const readings = readingsOf(device, root, measured, profile.readingEveryMs);
  return {
    usage: usageOf(device, seed, root, stretch, profile),
    positions: positionsOf(device, seed, root, endOf(stretch, positionEveryMs), profile).slice(-1),
    readings: device.unwatched ? readings.slice(-1) : readings,
  };
}
