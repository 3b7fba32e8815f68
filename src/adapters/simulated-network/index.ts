import { setTimeout as sleep } from 'node:timers/promises';
import { listSimulations, type Simulation } from '../../features/devices/index.ts';
import {
  findNetworkCondition,
  type PositionSource,
  type SourceAnswer,
  SourceRefused,
  type SourceRequest,
} from '../../features/locations/index.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { simulatedPosition } from './simulated-position.ts';

const BATCH_MAX = 100;
/** Of a given place whose radius is not. */
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

/** As a real one would, it takes the time of its slowest device; one that is offline is known at once. */
const waitMs = (simulations: readonly Simulation[], timeLimitMs: number): number =>
  Math.min(
    timeLimitMs,
    Math.max(0, ...simulations.map(({ online = true, delayMs = 0 }) => (online ? delayMs : 0))),
  );

/**
 * A network made of rules: where each device is follows from the seed, the device and the domain time, unless its
 * simulation says otherwise. Only what people told it is read from the database.
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
