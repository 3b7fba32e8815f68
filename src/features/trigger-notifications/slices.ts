/** Slices of limited size, so that no statement grows with the number of rows. */
export function* slicesOf<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

/** Slices that keep groups whole: only its last group can make a slice larger than `size`. */
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
