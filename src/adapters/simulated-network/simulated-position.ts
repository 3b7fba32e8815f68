import { createHash } from 'node:crypto';

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusM: number;
}

/** Where devices without a given place live: a box with land, roads and little sea. */
const HOME = { south: 32, north: 46, west: -118, east: -82 };
const HOUR_MS = 3_600_000;
/** Half of all devices stay where they are. */
const MOVING_SHARE = 0.5;
/** A cell of the coarse grid, in degrees, and a radius that covers it from its middle anywhere in the box. */
const CELL_DEGREES = 0.02;
const CELL_RADIUS_M = 1_600;
const DECIMALS = 1e6;

const round = (degrees: number): number => Math.round(degrees * DECIMALS) / DECIMALS;
const snap = (degrees: number): number => round((Math.floor(degrees / CELL_DEGREES) + 0.5) * CELL_DEGREES);

/** Numbers from 0 to 1 that belong to one device of one simulated world. */
function traitsOf(seed: string, deviceId: string): readonly number[] {
  const bytes = createHash('sha256').update(`${seed} ${deviceId}`).digest();
  return Array.from({ length: 8 }, (_, n) => bytes.readUInt32BE(n * 4) / 2 ** 32);
}

/**
 * The place of a device at a moment, computed from nothing else: the same everywhere, every time. Some stay at home,
 * the others go round it in loops of some kilometres and hours. Coarse answers name the middle of a cell, so that they
 * tell nothing finer than they say.
 */
export function simulatedPosition(
  seed: string,
  deviceId: string,
  at: Date,
  accuracy: 'coarse' | 'precise',
): Position {
  const [a, b, moves, reach, pace, phase, precision] = traitsOf(seed, deviceId) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const angle = 2 * Math.PI * (phase + at.getTime() / ((1 + 5 * pace) * HOUR_MS));
  const radius = moves < MOVING_SHARE ? 0.02 + 0.15 * reach : 0;
  const latitude = HOME.south + a * (HOME.north - HOME.south) + radius * Math.sin(angle);
  const longitude = HOME.west + b * (HOME.east - HOME.west) + radius * Math.cos(angle);
  if (accuracy === 'coarse')
    return { latitude: snap(latitude), longitude: snap(longitude), radiusM: CELL_RADIUS_M };
  return {
    latitude: round(latitude),
    longitude: round(longitude),
    radiusM: 5 + Math.floor(45 * precision),
  };
}
