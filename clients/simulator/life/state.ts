import { chance } from './chance.ts';
import { type Device, DRAW, hourOf, localTime, type Place, rootOf } from './device.ts';
import { whereabouts } from './journey.ts';
import { bytesAnHour, profileOf } from './profile.ts';
import { HOUR, MINUTE } from './time.ts';

const BLOCK = 4 * HOUR;
/** Every outage begins and ends within its block of four hours. */
const OUTAGE_MIN = 10 * MINUTE;
const OUTAGE_MAX = 50 * MINUTE;
/** A sleeper can be reached for this long around each report. */
const AWAKE = 5 * MINUTE;
/** Share of data that a parked vehicle still uses. */
const PARKED_SHARE = 0.02;

export interface DeviceState {
  /** Within coverage; one that sleeps still is. */
  readonly online: boolean;
  readonly activity: 'driving' | 'asleep' | 'idle';
  readonly position: Place & { readonly radius: number };
  readonly bytesAnHour: number;
}

/** When the outage that covers this moment ends. */
export function outageEnd(device: Device, root: number, at: number): number | undefined {
  const { outage } = profileOf(device.profile);
  const block = Math.floor(at / BLOCK);
  if (chance(root, DRAW.outage, block) >= outage) return undefined;
  const length = OUTAGE_MIN + (OUTAGE_MAX - OUTAGE_MIN) * chance(root, DRAW.outageLength, block);
  const from = block * BLOCK + (BLOCK - length) * chance(root, DRAW.outageStart, block);
  return at >= from && at < from + length ? Math.ceil(from + length) : undefined;
}

/** Offset of the reports of this kind, different for each device, so that not all report at once. */
export const phaseOf = (root: number, everyMs: number): number =>
  Math.floor(chance(root, DRAW.phase, 0) * everyMs);

/** Factor of a device's usage relative to its profile. */
export const sizeOf = (root: number): number => 0.5 + chance(root, DRAW.size, 0);

const rounded = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;

/** The activity of a device at a moment, derived only from the seed, the device and the moment. */
export function stateOf(device: Device, seed: string, instant: Date): DeviceState {
  const [at, root, profile] = [instant.getTime(), rootOf(device, seed), profileOf(device.profile)];
  const place = profile.travels ? whereabouts(device.home, root, at) : { ...device.home, driving: false };
  const { usageEveryMs = profile.readingEveryMs ?? HOUR } = profile;
  const sinceReport = (at - phaseOf(root, usageEveryMs)) % usageEveryMs;
  const asleep = profile.sleeps && sinceReport > AWAKE;
  const usual = asleep ? 0 : bytesAnHour(profile, hourOf(localTime(at, device.home))) * sizeOf(root);
  return {
    online: outageEnd(device, root, at) === undefined,
    activity: place.driving ? 'driving' : asleep ? 'asleep' : 'idle',
    position: { lat: rounded(place.lat), lon: rounded(place.lon), radius: profile.radiusM },
    bytesAnHour: profile.travels && !place.driving ? usual * PARKED_SHARE : usual,
  };
}
