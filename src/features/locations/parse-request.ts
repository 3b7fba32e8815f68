import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import {
  type Accuracy,
  hasNumber,
  type ListedDevice,
  parseDeviceList,
  repeated,
  requireRegistered,
  sentFor,
} from '../consents/index.ts';
import { locationFaults } from './errors.ts';
import type { CacheMode } from './location.ts';
import type { LocateBody } from './schemas.ts';
import { type FoundDevice, findDevices } from './sql-device.ts';

export interface LocateRequest {
  readonly accuracy: Accuracy;
  readonly cacheMode: CacheMode;
  /** How old a cached position may be. */
  readonly maxAgeMs: number | undefined;
  /** `mdn` is the number the caller expects the device to have. */
  readonly devices: readonly (ListedDevice & { readonly mdn: string | undefined })[];
}

/** A mode is a digit, as text or number. Empty text means the default. */
function parseMode(given: string | number | undefined, known: readonly number[], absent: number) {
  if (given === undefined || given === '') return absent;
  return known.find((mode) => String(mode) === String(given).trim());
}

/** Parses the body, or refuses it with its first error. Runs no queries. */
export function parseLocateRequest(body: LocateBody, devicesMax: number): LocateRequest {
  const accuracy = parseMode(body.accuracyMode, [0, 1], 0);
  if (accuracy === undefined) refuse(locationFaults.invalidAccuracyMode);
  const cacheMode = parseMode(body.cacheMode, [0, 1, 2], 1);
  if (cacheMode === undefined) refuse(locationFaults.invalidCacheMode);
  const devices = parseDeviceList(body.deviceList, devicesMax).map((device, n) => ({
    ...device,
    mdn: body.deviceList[n]!.mdn,
  }));
  const { maxLocAge } = body;
  return {
    accuracy: accuracy === 0 ? 'coarse' : 'precise',
    cacheMode: cacheMode as CacheMode,
    maxAgeMs: maxLocAge === undefined ? undefined : Number(maxLocAge) * 1_000,
    devices,
  };
}

/** The devices of a request, in its order. Refuses the request if any is not in the account. */
export async function findRequestedDevices(
  ctx: Ctx,
  tenant: Tenant,
  { devices }: LocateRequest,
): Promise<readonly FoundDevice[]> {
  const [found] = await Promise.all([findDevices(ctx.db, tenant, devices), requireRegistered(ctx, tenant)]);
  const known = found.filter((device) => device !== undefined);
  if (known.length < found.length)
    refuse(locationFaults.deviceNotFound, {
      named: devices.filter((_, n) => found[n] === undefined).map(sentFor),
    });
  const others = devices.filter(({ mdn }, n) => !hasNumber(known[n]!, mdn));
  if (others.length > 0) refuse(locationFaults.ownershipFailed, { named: others.map(sentFor) });
  // The request may name one device by two of its identifiers.
  const again = repeated(devices, (_, n) => known[n]!.deviceId);
  if (again.length > 0) refuse(locationFaults.duplicateDevices, { named: again.map(sentFor) });
  return known;
}
