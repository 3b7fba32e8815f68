import type { Answer } from '../../../sdk/index.ts';
import { call, nextOf, request } from './client.ts';

const NETWORK = 'GET /operator/v1/network';
const DIFFERENCES = 'GET /operator/v1/network/differences';

export type Network = Answer<typeof NETWORK>;
export type Element = Network['elements'][number];
export type Feed = Network['feeds'][number];
export type Difference = Answer<typeof DIFFERENCES>[number];

export const readNetwork = (signal?: AbortSignal): Promise<Network> => call(NETWORK, { signal });

export const setPaused = (element: string, paused: boolean) =>
  call(paused ? 'POST /operator/v1/network/{element}/pause' : 'POST /operator/v1/network/{element}/resume', {
    path: { element },
  });

export async function listDifferences(accountName: string, page?: string, signal?: AbortSignal) {
  const query = { accountName: accountName || undefined, page };
  const { data, headers } = await request(DIFFERENCES, { query, signal });
  return { differences: data, ...nextOf(headers) };
}

/** Checks one account, or all. The result appears in the list of differences. */
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
