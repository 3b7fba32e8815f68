import type { Tenant } from '../../platform/context/context.ts';
import type { Accuracy } from '../consents/index.ts';

/** 0 cached only, 1 cached or otherwise current, 2 current. */
export type CacheMode = 0 | 1 | 2;

export interface Fix {
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusM: number;
  readonly at: Date;
}

/** One of the per-device error types, with a marker for the installation's prefix. */
export interface DeviceFailure {
  readonly type: string;
  /** Details from the source, instead of the usual description. */
  readonly info?: string | undefined;
}

/** The result for one device. */
export type Outcome =
  | { readonly fix: Fix; readonly cached: boolean }
  | { readonly failure: DeviceFailure; readonly at: Date };

/** The result of a network answer. Consent may have been withdrawn while the network was queried. */
export type Recorded = Outcome | 'withheld';

export const CONSENT_FAILED: DeviceFailure = { type: 'SVC CONSENT CHECK FAILED' };
export const NOT_ALLOWED: DeviceFailure = { type: 'POSITIONING NOT ALLOWED' };
export const NO_IOT_DEVICE: DeviceFailure = { type: 'SVC DEVICE TYPE CHECK FAILED' };
export const NO_LINE: DeviceFailure = { type: 'UNKNOWN SUBSCRIBER' };
export const NOT_CACHED: DeviceFailure = { type: 'SVC CACHE UNAVAILABLE' };
export const NO_LOCATION: DeviceFailure = { type: 'SVC DEVICE LOCATION DATA UNAVAILABLE' };
export const SOURCE_FAILED: DeviceFailure = { type: 'SYSTEM FAILURE' };
export const CANCELLED: DeviceFailure = { type: 'CANCELLATION OF TRIGGERED LOCATION REQUEST' };
/** The service was closed before a later batch of an accepted request. */
export const USED_UP: DeviceFailure = { type: 'UNSPECIFIED ERROR', info: 'Subscribed usage exceeded' };
/** Located again when the device becomes reachable. */
export const ABSENT: DeviceFailure = { type: 'ABSENT SUBSCRIBER' };

/** A device's fix with its original accuracy. */
export interface TakenFix extends Fix {
  readonly deviceId: string;
  readonly accuracy: Accuracy;
}

/** The coarse form of a position is a grid point, about a kilometre apart, which hides where in the cell the device is. */
const GRID_DECIMALS = 2;
const GRID_RADIUS_M = 1_000;

const onGrid = (degrees: number): number => Number(degrees.toFixed(GRID_DECIMALS));

/** The form of a fix for callers that may only see coarse positions. */
export const coarseForm = <F extends TakenFix>(fix: F): F =>
  fix.accuracy === 'coarse'
    ? fix
    : {
        ...fix,
        accuracy: 'coarse',
        latitude: onGrid(fix.latitude),
        longitude: onGrid(fix.longitude),
        radiusM: Math.max(fix.radiusM, GRID_RADIUS_M),
      };

/** The forms the cache stores: a precise fix is stored in its coarse form too. */
export const cachedForms = (fixes: readonly TakenFix[]) =>
  fixes.flatMap((fix) => [
    { ...fix, asTaken: true },
    ...(fix.accuracy === 'precise' ? [{ ...coarseForm(fix), asTaken: false }] : []),
  ]);

/** A device with every identifier by which a network may know it. */
export interface Target extends Tenant {
  readonly deviceId: string;
  readonly imei: string | null;
  readonly meid: string | null;
  readonly esn: string | null;
  readonly mdn: string | null;
  readonly msisdn: string | null;
}

export type SourceAnswer = { readonly fix: Fix } | { readonly failure: DeviceFailure };

export interface SourceRequest {
  readonly accuracy: Accuracy;
  /** Devices without an answer by then are reported as timed out; the others still get their answer. */
  readonly timeLimitMs: number;
  /** Aborted a little later if the source has not answered at all. */
  readonly signal: AbortSignal;
}

/**
 * Locates devices of one account per request. Answers are keyed by record id; a device without an answer has no location
 * data. Throwing `SourceRefused` is an answer for all devices of the request; any other error means that the source was not
 * reached.
 */
export interface PositionSource {
  readonly name: string;
  /** Limit of devices in one request. */
  readonly batchMax: number;
  readonly locate: (
    targets: readonly Target[],
    request: SourceRequest,
  ) => Promise<ReadonlyMap<string, SourceAnswer>>;
}

/** The source was reached and answered that it cannot locate any device now. */
export class SourceRefused extends Error {}
