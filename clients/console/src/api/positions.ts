import { get, ofAccount } from './http.ts';

/** The nth of each column belong together. */
export interface Positions {
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly latitudes: readonly number[];
  readonly longitudes: readonly number[];
  /** Metres. */
  readonly radii: readonly number[];
  /** Seconds since 1970. */
  readonly times: readonly number[];
}

export const listPositions = (accountName: string, page?: string, signal?: AbortSignal) =>
  get<Positions & { next?: string }>(ofAccount(accountName, '/positions'), { page }, signal);

export const listPositionNews = (accountName: string, since: number, signal?: AbortSignal) =>
  get<Positions & { more: boolean }>(ofAccount(accountName, '/positions/news'), { since }, signal);
