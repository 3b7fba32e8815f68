/** For a caller that cannot wait. The statement itself continues, and ends by its own limit. */
export async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(Object.assign(new Error(`no answer within ${ms} ms`), { code: 'ETIMEDOUT' })),
    ms,
  );
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
}

/** Runs at most a fixed number of pieces of work at once; the others wait in order of arrival. */
export interface ConcurrencyLimit {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function concurrencyLimit(atOnce: number): ConcurrencyLimit {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return {
    async run(work) {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free++;
        else next();
      }
    },
  };
}
