import { numberOf } from './chance.ts';
import type { ProfileName } from './profile.ts';
import { DAY, HOUR } from './time.ts';

export interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** The inputs of a device's behaviour, besides the seed and the time. */
export interface Device {
  readonly kind: 'imei' | 'mac' | 'deveui';
  readonly id: string;
  readonly profile: ProfileName;
  /** Its fixed position, or the start of its journeys. */
  readonly home: Place;
  /** The subject of its sensors; only some profiles use it. */
  readonly cold?: boolean;
  /** Whether no rule uses its readings, so that only the newest matters. */
  readonly unwatched?: boolean;
}

export const rootOf = ({ id }: Pick<Device, 'id'>, seed: string): number => numberOf(`${seed} ${id}`);

/** Hours since midnight in solar time, which is close enough to local time. */
export const localTime = (at: number, { lon }: Place): number => at + (lon / 15) * HOUR;
export const hourOf = (local: number): number => (((local % DAY) + DAY) % DAY) / HOUR;
export const dayOf = (local: number): number => Math.floor(local / DAY);
/** 1 January 1970 was a Thursday. */
export const isWeekend = (day: number): boolean => ((((day + 4) % 7) + 7) % 7) % 6 === 0;

/** The kind of draw, so that draws are independent. */
export const DRAW = {
  phase: 1,
  outage: 2,
  outageStart: 3,
  outageLength: 4,
  bytes: 5,
  late: 6,
  lateness: 7,
  repeat: 8,
  works: 9,
  departure: 10,
  distance: 11,
  bearing: 12,
  stay: 13,
  bend: 14,
  size: 15,
  reading: 16,
  event: 17,
  homeLat: 18,
  homeLon: 19,
  repeatAfter: 20,
} as const;
