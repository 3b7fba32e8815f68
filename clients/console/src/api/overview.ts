import type { Answer } from '../../../sdk/index.ts';
import { call } from './client.ts';

const USAGE = 'GET /console/v1/accounts/{accountName}/overview/usage';
const FIRINGS = 'GET /console/v1/accounts/{accountName}/overview/firings';

export type UsageOverview = Answer<typeof USAGE>;
export type FiringOverview = Answer<typeof FIRINGS>;
export type Firing = FiringOverview['latest'][number];

export const readUsageOverview = (accountName: string, days: number, signal?: AbortSignal) =>
  call(USAGE, { path: { accountName }, query: { days }, signal });

export async function listFiringsOfPeriod(
  accountName: string,
  days: number,
  page?: string,
  signal?: AbortSignal,
) {
  return call('GET /console/v1/accounts/{accountName}/firings', {
    path: { accountName },
    query: { days, page },
    signal,
  });
}

export const readFiringOverview = (accountName: string, days: number, signal?: AbortSignal) =>
  call(FIRINGS, { path: { accountName }, query: { days }, signal });
