/** So that no statement grows with how many there are. */
export function* slicesOf<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

/** The same for what belongs together: no group is cut in two, and a slice is larger than that only by its last group. */
export function* slicesOfGroups<T>(groups: Iterable<readonly T[]>, size: number): Generator<readonly T[]> {
  let slice: T[] = [];
  for (const group of groups) {
    slice.push(...group);
    if (slice.length < size) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}
