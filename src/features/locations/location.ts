import type { Tenant } from '../../platform/context/context.ts';
import type { Accuracy } from '../consents/index.ts';

/** 0 cached only, 1 cached or else current, 2 current. */
export type CacheMode = 0 | 1 | 2;

export interface Fix {
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusM: number;
  readonly at: Date;
}

/** One of the per-device error types, with the marker where the installation's prefix is written. */
export interface DeviceFailure {
  readonly type: string;
  /** What the source adds to the usual words. */
  readonly info?: string | undefined;
}

/** What is said about one device. */
export type Outcome =
  | { readonly fix: Fix; readonly cached: boolean }
  | { readonly failure: DeviceFailure; readonly at: Date };

/** What an answer of the network came to: its consent may have gone while the network looked. */
export type Recorded = Outcome | 'withheld';

export const CONSENT_FAILED: DeviceFailure = { type: 'SVC CONSENT CHECK FAILED' };
export const NOT_ALLOWED: DeviceFailure = { type: 'POSITIONING NOT ALLOWED' };
export const NO_IOT_DEVICE: DeviceFailure = { type: 'SVC DEVICE TYPE CHECK FAILED' };
export const NO_LINE: DeviceFailure = { type: 'UNKNOWN SUBSCRIBER' };
export const NOT_CACHED: DeviceFailure = { type: 'SVC CACHE UNAVAILABLE' };
export const NO_LOCATION: DeviceFailure = { type: 'SVC DEVICE LOCATION DATA UNAVAILABLE' };
export const SOURCE_FAILED: DeviceFailure = { type: 'SYSTEM FAILURE' };
export const CANCELLED: DeviceFailure = { type: 'CANCELLATION OF TRIGGERED LOCATION REQUEST' };
/** Asked for again when the device can be reached. */
export const ABSENT: DeviceFailure = { type: 'ABSENT SUBSCRIBER' };

/** A fix of a device, with the accuracy that it was taken with. */
export interface TakenFix extends Fix {
  readonly deviceId: string;
  readonly accuracy: Accuracy;
}

/** A precise position made coarse: about a kilometre, on a grid that tells nothing about where in it the device is. */
const GRID_DECIMALS = 2;
const GRID_RADIUS_M = 1_000;

const onGrid = (degrees: number): number => Number(degrees.toFixed(GRID_DECIMALS));

/** The form of a fix that those may be given who may ask for coarse positions only. */
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

/** How the cache keeps fixes: a precise one also in its coarse form. */
export const cachedForms = (fixes: readonly TakenFix[]) =>
  fixes.flatMap((fix) => [
    { ...fix, asTaken: true },
    ...(fix.accuracy === 'precise' ? [{ ...coarseForm(fix), asTaken: false }] : []),
  ]);

/** A device by every name that a network may know it by. */
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
  /** What is not known by then is answered as a time-out; the others still get their answer. */
  readonly timeLimitMs: number;
  /** Aborted a little later, when nothing was answered at all. */
  readonly signal: AbortSignal;
}

/**
 * Something that knows where devices are. It is asked for devices of one account at a time, by their record id. A device
 * without an answer has no location data. Throwing `SourceRefused` is an answer for all of them; any other failure means
 * that nobody was reached.
 */
export interface PositionSource {
  readonly name: string;
  /** Devices in one request. */
  readonly batchMax: number;
  readonly locate: (
    targets: readonly Target[],
    request: SourceRequest,
  ) => Promise<ReadonlyMap<string, SourceAnswer>>;
}

/** The source was reached, and said that it cannot locate anything now. */
export class SourceRefused extends Error {}
