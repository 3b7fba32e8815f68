import type { Pool, Room } from './lane.ts';

/** Which places of each pool are taken, and by which profiles. */
export class Places<P extends Pool> {
  readonly #taken = new Map<P, { all: number; readonly byProfile: Map<string, number> }>();

  #of(pool: P) {
    const taken = this.#taken.get(pool) ?? { all: 0, byProfile: new Map<string, number>() };
    this.#taken.set(pool, taken);
    return taken;
  }

  room(pool: P): Room {
    const { all, byProfile } = this.#of(pool);
    return { free: pool.places - all, taken: byProfile };
  }

  isFull(pool: P, ecpdId: string): boolean {
    const { free, taken } = this.room(pool);
    return free <= 0 || (taken.get(ecpdId) ?? 0) >= pool.placesPerProfile;
  }

  count(pool: P, ecpdId: string, by: number): void {
    const taken = this.#of(pool);
    taken.all += by;
    const places = (taken.byProfile.get(ecpdId) ?? 0) + by;
    if (places > 0) taken.byProfile.set(ecpdId, places);
    else taken.byProfile.delete(ecpdId);
  }
}
