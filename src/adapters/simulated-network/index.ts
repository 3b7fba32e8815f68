import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { listSimulations, type Simulation } from '../../features/devices/index.ts';
import {
  type Fix,
  findNetworkCondition,
  type PositionSource,
  type SourceAnswer,
  SourceRefused,
  type SourceRequest,
} from '../../features/locations/index.ts';
import type { Ctx } from '../../platform/context/context.ts';

const BATCH_MAX = 100;
/** The radius of a given place that has none. */
const RADIUS_M = 300;

function answerFor(
  deviceId: string,
  { online = true, error, delayMs = 0, position }: Simulation,
  { seed, at, request }: { seed: string; at: Date; request: SourceRequest },
): SourceAnswer {
  if (!online) return { failure: { type: 'ABSENT SUBSCRIBER' } };
  if (delayMs > request.timeLimitMs) return { failure: { type: 'TIMEOUT' } };
  if (error != null) return { failure: { type: error } };
  if (position === undefined)
    return { fix: { ...simulatedPosition(seed, deviceId, at, request.accuracy), at } };
  const { lat, lon, radius = RADIUS_M } = position;
  return { fix: { latitude: lat, longitude: lon, radiusM: radius, at } };
}

/** Like a real network, it takes as long as its slowest device; a device that is offline is known at once. */
const waitMs = (simulations: readonly Simulation[], timeLimitMs: number): number =>
  Math.min(
    timeLimitMs,
    Math.max(0, ...simulations.map(({ online = true, delayMs = 0 }) => (online ? delayMs : 0))),
  );

/**
 * A network made of rules: the position of each device follows from the seed, the device and the domain time, unless its
 * simulation sets it. Reads only the user's settings from the database.
 */
export function createSimulatedNetwork(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  { seed = 'linekeeper' }: { seed?: string } = {},
): PositionSource {
  return {
    name: 'simulated',
    batchMax: BATCH_MAX,
    async locate(targets, request) {
      const [first] = targets;
      if (first === undefined) return new Map();
      const ids = targets.map(({ deviceId }) => deviceId);
      const [condition, simulations] = await Promise.all([
        findNetworkCondition(db),
        listSimulations(db, first.ecpdId, ids),
      ]);
      if (condition === 'unreachable') throw new Error('the simulated network is set to be unreachable');
      if (condition === 'refusing') throw new SourceRefused('the simulated network is set to refuse');
      const delayMs = waitMs(
        simulations.map(({ simulation }) => simulation),
        request.timeLimitMs,
      );
      if (delayMs > 0) await sleep(delayMs, undefined, { signal: request.signal });
      const at = now();
      return new Map(
        simulations.map(({ deviceId, simulation }) => [
          deviceId,
          answerFor(deviceId, simulation, { seed, at, request }),
        ]),
      );
    },
  };
}

/** The area of devices without a given place: a box with land, roads and little sea. */
const HOME = { south: 32, north: 46, west: -118, east: -82 };
const HOUR_MS = 3_600_000;
/** Half of all devices never move. */
const MOVING_SHARE = 0.5;
/** A cell of the coarse grid, in degrees, and a radius that covers it from its centre anywhere in the box. */
const CELL_DEGREES = 0.02;
const CELL_RADIUS_M = 1_600;
const DECIMALS = 1e6;

const round = (degrees: number): number => Math.round(degrees * DECIMALS) / DECIMALS;
const snap = (degrees: number): number => round((Math.floor(degrees / CELL_DEGREES) + 0.5) * CELL_DEGREES);

/** Numbers from 0 to 1 for one device of one simulated world. */
function traitsOf(seed: string, deviceId: string) {
  const bytes = createHash('sha256').update(`${seed} ${deviceId}`).digest();
  const nth = (n: number) => bytes.readUInt32BE(n * 4) / 2 ** 32;
  const [a, b, moves, reach, pace, phase, precision] = [
    nth(0),
    nth(1),
    nth(2),
    nth(3),
    nth(4),
    nth(5),
    nth(6),
  ];
  return { a, b, moves, reach, pace, phase, precision };
}

/**
 * The place of a device at a moment, computed only from the arguments, so always the same. Some devices stay at home, and
 * the others move around it in loops of some kilometres and hours. Coarse answers give the centre of a cell, so that they
 * reveal no more than their accuracy.
 */
export function simulatedPosition(
  seed: string,
  deviceId: string,
  at: Date,
  accuracy: 'coarse' | 'precise',
): Omit<Fix, 'at'> {
  const { a, b, moves, reach, pace, phase, precision } = traitsOf(seed, deviceId);
  const angle = 2 * Math.PI * (phase + at.getTime() / ((1 + 5 * pace) * HOUR_MS));
  const radius = moves < MOVING_SHARE ? 0.02 + 0.15 * reach : 0;
  const latitude = HOME.south + a * (HOME.north - HOME.south) + radius * Math.sin(angle);
  const longitude = HOME.west + b * (HOME.east - HOME.west) + radius * Math.cos(angle);
  if (accuracy === 'coarse')
    return { latitude: snap(latitude), longitude: snap(longitude), radiusM: CELL_RADIUS_M };
  return { latitude: round(latitude), longitude: round(longitude), radiusM: 5 + Math.floor(45 * precision) };
}
