const { clearTimeout, Date: RealDate, fetch, setTimeout } = globalThis;

/**
 * Time and the way out as they were when this file was loaded. A test that replaces timers, the date or fetch means those of the
 * program that it tests, and not the sandbox's.
 */
export const real = {
  now: (): number => RealDate.now(),
  timeText: (): string => new RealDate().toISOString(),
  fetch: (url: string, init: RequestInit): Promise<Response> => fetch(url, init),
  /** Node loads what fetch is made of when one of its names is first used: best before somebody waits for it. */
  loadFetch: (): void => void globalThis.Response,
  after(ms: number, run: () => void): () => void {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  sleep: (ms: number): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, ms);
    }),
} as const;
