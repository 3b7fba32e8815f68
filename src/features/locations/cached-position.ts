import type { Accuracy } from '../consents/index.ts';
import type { Fix } from './location.ts';

export interface CachedPosition extends Fix {
  readonly deviceId: string;
  readonly accuracy: Accuracy;
}

/** A precise position made coarse: about a kilometre, on a grid that tells nothing about where in it the device is. */
const GRID_DECIMALS = 2;
const GRID_RADIUS_M = 1_000;

const onGrid = (degrees: number): number => Number(degrees.toFixed(GRID_DECIMALS));

/** How a position is kept: a precise one also in a form that coarse requests may be given. */
export function cachedForms(deviceId: string, fix: Fix, accuracy: Accuracy): readonly CachedPosition[] {
  if (accuracy === 'coarse') return [{ deviceId, accuracy, ...fix }];
  const coarse = {
    ...fix,
    latitude: onGrid(fix.latitude),
    longitude: onGrid(fix.longitude),
    radiusM: Math.max(fix.radiusM, GRID_RADIUS_M),
  };
  return [
    { deviceId, accuracy: 'precise', ...fix },
    { deviceId, accuracy: 'coarse', ...coarse },
  ];
}
