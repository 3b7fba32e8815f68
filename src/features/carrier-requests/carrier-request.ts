import type { Actor } from '../../platform/context/context.ts';

export { keptSince } from '../../platform/flow-control/open-requests.ts';

export type RequestStatus = 'Pending' | 'Success' | 'Failure';

/** How far a request is, whichever feature works on it. */
export interface RequestProgress {
  readonly requestId: string;
  readonly operation: string;
  readonly status: RequestStatus;
  /** Of requests that change devices. */
  readonly devices?: { readonly requested: number; readonly succeeded: number; readonly failed: number };
}

export interface CarrierRequest {
  readonly requestId: string;
  readonly operation: string;
  readonly status: RequestStatus;
  readonly deviceCount: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly body: unknown;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly createdByKind: Actor['kind'];
}

/** Also a check constraint of the table. */
export const DEVICES_MAX = 10_000;

/** How much is done at once. */
export interface RequestLimits {
  /** In one request. */
  readonly devicesMax: number;
  /** Changed, marked and told in one transaction: so many are lost by a crash, and done again. */
  readonly chunk: number;
}

export const REQUEST_LIMITS: RequestLimits = { devicesMax: DEVICES_MAX, chunk: 1_000 };

/** Identifiers by which one device of a request may be named: there are not more kinds. */
export const IDS_PER_DEVICE_MAX = 11;

/** Requests of one account that are not yet ended. */
export const OPEN_MAX = 1_000;
