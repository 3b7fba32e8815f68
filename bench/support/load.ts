import autocannon from 'autocannon';

export interface Load {
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly connections: number;
  readonly seconds: number;
}

/** Requests per second in one round; throws if the round had errors. */
export async function requestsPerSecond({ url, headers = {}, connections, seconds }: Load): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration: seconds });
  if (result.errors > 0 || result.non2xx > 0)
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} refusals`);
  return result.requests.average;
}
