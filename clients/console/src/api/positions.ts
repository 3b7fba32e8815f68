import type { Answer, Query } from '../../../sdk/index.ts';
import { call } from './client.ts';

const POSITIONS = 'GET /console/v1/accounts/{accountName}/positions';

/** The nth of each column belong together. */
export type Positions = Omit<Answer<typeof POSITIONS>, 'next'>;

export const listPositions = (accountName: string, query: Query<typeof POSITIONS>, signal?: AbortSignal) =>
  call(POSITIONS, { path: { accountName }, query, signal });
