import type { Accuracy } from '../consents/index.ts';
import type { CacheMode } from '../locations/index.ts';

/** Devices that could not be reached are asked for again as long as their request is kept. */
export { KEPT_MS, keptSince } from '../../platform/flow-control/open-requests.ts';

export type RequestStatus = 'QUEUED' | 'INPROGRESS' | 'COMPLETED' | 'CANCELLED';

/** How the answer is had: read page by page, or by a callback for each device. */
export type AnsweredBy = 'report' | 'callbacks';

export interface LocationRequest {
  readonly txid: string;
  readonly answeredBy: AnsweredBy;
  readonly accuracy: Accuracy;
  readonly cacheMode: CacheMode;
  readonly status: RequestStatus;
  readonly totalCount: number;
}

/** Requests of one account that are not yet ended. */
export const OPEN_MAX = 100;

export const DEVICES_MAX = 10_000;
export const CHUNK = 250;
export const PAGE = 1_000;
