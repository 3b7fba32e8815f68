import { concurrencyLimit } from '../flow-control/limits.ts';
import type { Loop } from './health.ts';

/**
 * Does the work for each item separately: a failed item does not stop the others, and its error is passed to `onError`. If
 * no item succeeds, throws the first error. Returns the sum of the results; undefined means that there was nothing to do,
 * which does not count as a success. Reports each success to the loop, so that many items do not look like a hang. Works
 * on one item at a time, or on `atOnce`.
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
  const slots = concurrencyLimit(atOnce);
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
  await Promise.all(Array.from(items, (item) => slots.run(() => workOne(item))));
  const [first, ...others] = failures;
  if (failures.length > 0 && succeeded > 0) onError(first);
  for (const failure of others) onError(failure);
  if (failures.length > 0 && succeeded === 0) throw first;
  return sum;
}

/** For each source in turn, finds its items and works on `atOnce` of them. A failed source does not stop the others. */
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
