/**
 * Keeps the most recently used entries: at most `max`, and always at least the newest half of them. The older half is dropped
 * as a whole, because a map that deletes its oldest entry each time keeps the slots of deleted entries, and each search for
 * the oldest walks over them.
 */
export class RecentMap<K extends string | number, V> {
  readonly #half: number;
  #newer = new Map<K, V>();
  #older = new Map<K, V>();

  constructor(max: number) {
    this.#half = Math.max(1, Math.floor(max / 2));
  }

  get size(): number {
    return this.#newer.size + this.#older.size;
  }

  get(key: K): V | undefined {
    const found = this.#newer.get(key);
    if (found !== undefined || this.#older.size === 0) return found;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    this.#older.delete(key);
    if (this.#newer.size >= this.#half && !this.#newer.has(key))
      [this.#older, this.#newer] = [this.#newer, new Map()];
    this.#newer.set(key, value);
  }

  delete(key: K): void {
    this.#newer.delete(key);
    this.#older.delete(key);
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
  }

  *[Symbol.iterator](): IterableIterator<[K, V]> {
    yield* this.#older;
    yield* this.#newer;
  }
}
