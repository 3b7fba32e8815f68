import type { Accuracy } from '../consents/index.ts';
import type { CacheMode } from '../locations/index.ts';

/** Unreachable devices are located again while their request is kept. */
export { KEPT_MS, keptSince } from '../../platform/flow-control/open-requests.ts';

export type RequestStatus = 'QUEUED' | 'INPROGRESS' | 'COMPLETED' | 'CANCELLED';

/** How the caller gets the results: read page by page, or by a callback for each device. */
export type AnsweredBy = 'report' | 'callbacks';

export interface LocationRequest {
  readonly txid: string;
  readonly answeredBy: AnsweredBy;
  readonly accuracy: Accuracy;
  readonly cacheMode: CacheMode;
  readonly status: RequestStatus;
  readonly totalCount: number;
}

/** Limit of unfinished requests of one account. */
export const OPEN_MAX = 100;

export const DEVICES_MAX = 10_000;
export const CHUNK = 250;
export const TOGETHER = 10_000;
export const PAGE = 1_000;
