import type { Tenant } from '../../platform/context/context.ts';
import type { Accuracy, DeviceFailure, Fix } from './location.ts';

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
