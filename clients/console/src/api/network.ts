import type { Answer } from '../../../sdk/index.ts';
import { call, nextOf, request } from './client.ts';

const NETWORK = 'GET /operator/v1/network';
const DIFFERENCES = 'GET /operator/v1/network/differences';

export type Element = Answer<typeof NETWORK>['elements'][number];
export type Feed = Answer<typeof NETWORK>['feeds'][number];
export type Difference = Answer<typeof DIFFERENCES>[number];

export const readElements = async (signal?: AbortSignal): Promise<readonly Element[]> =>
  (await call(NETWORK, { signal })).elements;

export const readFeeds = async (signal?: AbortSignal): Promise<readonly Feed[]> =>
  (await call(NETWORK, { signal })).feeds;

export const setPaused = (element: string, paused: boolean) =>
  call(paused ? 'POST /operator/v1/network/{element}/pause' : 'POST /operator/v1/network/{element}/resume', {
    path: { element },
  });

export async function listDifferences(accountName: string, page?: string, signal?: AbortSignal) {
  const query = { accountName: accountName || undefined, page };
  const { data, headers } = await request(DIFFERENCES, { query, signal });
  return { differences: data, ...nextOf(headers) };
}

/** Of one account, or of all. What comes of it shows in the list of differences. */
export const checkLines = ({
  accountName,
  repair,
}: {
  readonly accountName: string;
  readonly repair: boolean;
}) =>
  call('POST /operator/v1/network/check', {
    body: { repair, ...(accountName !== '' && { accountName }) },
  });
