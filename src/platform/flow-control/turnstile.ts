/** Lets so many pieces of work run at once; the others wait, in the order in which they came. */
export interface Turnstile {
  pass<T>(work: () => Promise<T>): Promise<T>;
}

export function turnstile(atOnce: number): Turnstile {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return {
    async pass(work) {
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
