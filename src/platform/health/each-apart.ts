/**
 * Does each of them by itself: one that fails does not hold up the others, and is told to `onError`. Where none
 * succeeded, the whole has failed, with what the first one failed with. Answers the sum of what they answer.
 */
export async function eachApart<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<number>,
  onError: (error: unknown) => void,
): Promise<number> {
  const failures: unknown[] = [];
  let succeeded = 0;
  let sum = 0;
  for (const item of items) {
    try {
      sum += await work(item);
      succeeded++;
    } catch (error) {
      failures.push(error);
    }
  }
  const [first, ...others] = failures;
  if (failures.length > 0 && succeeded > 0) onError(first);
  for (const failure of others) onError(failure);
  if (failures.length > 0 && succeeded === 0) throw first;
  return sum;
}
