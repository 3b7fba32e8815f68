/** Where the interface's numbers come from: accuracyMode "0" is coarse, "1" precise. */
export const ACCURACIES = ['coarse', 'precise'] as const;
export type Accuracy = (typeof ACCURACIES)[number];

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
