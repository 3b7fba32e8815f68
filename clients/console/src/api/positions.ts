import type { Answer } from '../../../sdk/index.ts';
import { call } from './client.ts';

const POSITIONS = 'GET /console/v1/accounts/{accountName}/positions';

/** The nth of each column belong together. */
export type Positions = Omit<Answer<typeof POSITIONS>, 'next'>;

export const listPositions = (
  accountName: string,
  query: { readonly page: string | undefined; readonly limit: number | undefined },
  signal?: AbortSignal,
) => call(POSITIONS, { path: { accountName }, query, signal });

export const listPositionNews = (accountName: string, since: number, signal?: AbortSignal) =>
  call('GET /console/v1/accounts/{accountName}/positions/news', {
    path: { accountName },
    query: { since },
    signal,
  });
