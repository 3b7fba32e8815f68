import { refuse } from '../../platform/context/fault.ts';
import { type Accuracy, type ListedDevice, parseDeviceList } from '../consents/index.ts';
import { locationFaults } from './errors.ts';
import { ACCURACIES, type CacheMode } from './location.ts';
import type { LocateBody } from './schemas.ts';

export interface AskedDevice extends ListedDevice {
  /** The number that the caller believes the device to have. */
  readonly mdn: string | undefined;
}

export interface LocateRequest {
  readonly accuracy: Accuracy;
  readonly cacheMode: CacheMode;
  /** How old a cached position may be. */
  readonly maxAgeMs: number | undefined;
  readonly devices: readonly AskedDevice[];
}

/** Modes are digits as text or number; a client that sends an empty text means the default. */
function readMode(given: string | number | undefined, known: readonly number[], absent: number) {
  if (given === undefined || given === '') return absent;
  return known.find((mode) => String(mode) === String(given).trim());
}

/** What the caller wants, or the refusal of the first thing that is wrong with it. Asks nobody. */
export function readLocateRequest(body: LocateBody, devicesMax: number): LocateRequest {
  const accuracy = readMode(body.accuracyMode, [0, 1], 0);
  if (accuracy === undefined) refuse(locationFaults.invalidAccuracyMode);
  const cacheMode = readMode(body.cacheMode, [0, 1, 2], 1);
  if (cacheMode === undefined) refuse(locationFaults.invalidCacheMode);
  const devices = parseDeviceList(body.deviceList, devicesMax).map((device, n) => ({
    ...device,
    mdn: body.deviceList[n]!.mdn,
  }));
  const { maxLocAge } = body;
  return {
    accuracy: ACCURACIES[accuracy]!,
    cacheMode: cacheMode as CacheMode,
    maxAgeMs: maxLocAge === undefined ? undefined : Number(maxLocAge) * 1_000,
    devices,
  };
}
