import { concurrencyLimit } from '../flow-control/limits.ts';
import type { Loop } from './health.ts';

/**
 * Does each of them by itself: one that fails does not hold up the others, and is told to `onError`. Where none
 * succeeded, the whole has failed, with what the first one failed with. Answers the sum of what they answer; undefined
 * says that there was nothing to do, which is no success. The loop hears of each success: however many there are to do,
 * it does not hang while it does them. They are done one after the other, unless more are to be done `atOnce`.
 */
export async function forEachIsolated<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<number | undefined>,
  onError: (error: unknown) => void,
  loop: Pick<Loop, 'passed'>,
  atOnce = 1,
): Promise<number> {
  const failures: unknown[] = [];
  let succeeded = 0;
  let sum = 0;
  const turns = concurrencyLimit(atOnce);
  const workOne = async (item: T) => {
    try {
      const done = await work(item);
      if (done === undefined) return;
      sum += done;
      succeeded++;
      loop.passed();
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from(items, (item) => turns.run(() => workOne(item))));
  const [first, ...others] = failures;
  if (failures.length > 0 && succeeded > 0) onError(first);
  for (const failure of others) onError(failure);
  if (failures.length > 0 && succeeded === 0) throw first;
  return sum;
}

/** Finds what each source has to do, and does it, `atOnce` of it, before the next is asked: a source that fails leaves the others working. */
export const forEachSourceIsolated = <S, T>(
  sources: Iterable<S>,
  find: (source: S) => Promise<readonly T[]>,
  work: (item: T) => Promise<number>,
  onError: (error: unknown) => void,
  loop: Pick<Loop, 'passed'>,
  atOnce?: number,
): Promise<number> =>
  forEachIsolated(
    sources,
    async (source) => {
      const found = await find(source);
      return found.length === 0 ? undefined : forEachIsolated(found, work, onError, loop, atOnce);
    },
    onError,
    loop,
  );
