import autocannon from 'autocannon';

export interface Load {
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly connections: number;
  readonly seconds: number;
}

/** Requests a second over one round; refuses to report a round that had errors. */
export async function requestsPerSecond({ url, headers = {}, connections, seconds }: Load): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration: seconds });
  if (result.errors > 0 || result.non2xx > 0)
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} refusals`);
  return result.requests.average;
}

/** Both in turns after one round each to warm up; every round begins with the other one. */
export async function inTurns(
  rounds: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<{ readonly ours: readonly number[]; readonly against: readonly number[] }> {
  await ours();
  await theirs();
  const measured = { ours: [] as number[], against: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) measured.ours.push(await ours());
    measured.against.push(await theirs());
    if (round % 2 !== 0) measured.ours.push(await ours());
  }
  return measured;
}
