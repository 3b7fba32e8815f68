import { HOUR, MINUTE } from './time.ts';

const KB = 1024;
const MB = 1024 * KB;

export interface Profile {
  /** Interval between usage reports. */
  readonly usageEveryMs?: number;
  /** Typical bytes per day; each device scales them by its own factor. */
  readonly bytesADay: number;
  /** Relative share of the day's bytes by hour, before normalization. */
  readonly curve: readonly number[];
  readonly apn: string;
  readonly travels: boolean;
  /** It is reachable only around its reports, and uses no data between them. */
  readonly sleeps: boolean;
  /** Chance of an outage in each block of four hours. */
  readonly outage: number;
  readonly positionEveryMs?: number;
  readonly radiusM: number;
  readonly readingEveryMs?: number;
}

const FLAT = Array.from({ length: 24 }, () => 1);
const WORKDAY = [1, 1, 1, 1, 2, 6, 14, 18, 18, 17, 16, 14, 14, 16, 17, 18, 16, 10, 6, 3, 2, 1, 1, 1];
const EVENING = [4, 2, 1, 1, 1, 2, 4, 8, 12, 13, 13, 13, 12, 13, 13, 13, 13, 13, 12, 12, 12, 11, 9, 6];
const DAYLIGHT = [3, 3, 3, 3, 4, 6, 10, 13, 14, 14, 14, 14, 14, 14, 14, 14, 13, 11, 8, 6, 5, 4, 3, 3];

/** A sensor has no line; its bytes are part of its gateway's usage. */
const SENSOR = {
  bytesADay: 0,
  curve: FLAT,
  apn: '',
  travels: false,
  sleeps: true,
  outage: 0,
  radiusM: 50,
} as const;

export const PROFILES = {
  meter: {
    usageEveryMs: 6 * HOUR,
    bytesADay: 70 * KB,
    curve: FLAT,
    apn: 'meter.iot',
    travels: false,
    sleeps: true,
    outage: 0.02,
    positionEveryMs: 24 * HOUR,
    radiusM: 750,
    readingEveryMs: 6 * HOUR,
  },
  tracker: {
    usageEveryMs: 15 * MINUTE,
    // While driving; a truck stands most of the day, and so uses some 10 MB a month.
    bytesADay: 2_400 * KB,
    curve: WORKDAY,
    apn: 'fleet.iot',
    travels: true,
    sleeps: false,
    outage: 0.2,
    positionEveryMs: 5 * MINUTE,
    radiusM: 25,
    readingEveryMs: 15 * MINUTE,
  },
  camera: {
    usageEveryMs: 30 * MINUTE,
    bytesADay: 700 * MB,
    curve: DAYLIGHT,
    apn: 'video.iot',
    travels: false,
    sleeps: false,
    outage: 0.02,
    positionEveryMs: 12 * HOUR,
    radiusM: 120,
  },
  dashCamera: {
    usageEveryMs: 30 * MINUTE,
    bytesADay: 240 * MB,
    curve: WORKDAY,
    apn: 'video.iot',
    travels: true,
    sleeps: false,
    outage: 0.2,
    positionEveryMs: 15 * MINUTE,
    radiusM: 60,
  },
  fixedWireless: {
    usageEveryMs: HOUR,
    bytesADay: 5_000 * MB,
    curve: EVENING,
    apn: 'fixed.internet',
    travels: false,
    sleeps: false,
    outage: 0.01,
    positionEveryMs: 24 * HOUR,
    radiusM: 300,
  },
  gateway: {
    usageEveryMs: HOUR,
    bytesADay: 12 * MB,
    curve: FLAT,
    apn: 'gateway.iot',
    travels: false,
    sleeps: false,
    outage: 0,
    positionEveryMs: 24 * HOUR,
    radiusM: 300,
    readingEveryMs: 10 * MINUTE,
  },
  climateSensor: { ...SENSOR, readingEveryMs: 10 * MINUTE },
  levelSensor: { ...SENSOR, readingEveryMs: 15 * MINUTE },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof PROFILES;
export const profileOf = (name: ProfileName): Profile => PROFILES[name];

const totals = new Map(
  Object.values<Profile>(PROFILES).map(({ curve }) => [curve, curve.reduce((a, b) => a + b)]),
);

/** Bytes per hour of a typical device at this hour of the day. */
export const bytesAnHour = ({ bytesADay, curve }: Profile, hour: number): number =>
  (bytesADay * (curve[Math.floor(hour)] ?? 0)) / totals.get(curve)!;
