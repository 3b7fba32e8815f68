const { clearTimeout, Date: RealDate, fetch, setTimeout } = globalThis;

/**
 * Timers, date and fetch from the time this file was loaded. A test that replaces them means those of its own
 * program, not the sandbox's.
 */
export const real = {
  now: (): number => RealDate.now(),
  timeText: (): string => new RealDate().toISOString(),
  async fetch(url: string, init: RequestInit): Promise<Response> {
    // Loads much of Node; the service starts meanwhile.
    const { fetchOverHttp, isPlain } = await import('./http-fetch.ts');
    return isPlain(url, init) ? fetchOverHttp(url, init) : fetch(url, init);
  },
  after(ms: number, run: () => void): () => void {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  sleep: (ms: number): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, ms);
    }),
} as const;
