import type { Ctx } from '../context/context.ts';
import type { Db } from '../db/db.ts';
import type { Lane, LaneKind, LaneWorker, Pool, Room } from './lane.ts';

/** For so long lanes that a look has found are claimed without another; and for so many times as long as it took. */
const [AHEAD_MS, AHEAD_TIMES] = [1_000, 10];
/** So many lanes are remembered that something was told of; where there are more, a look finds them. */
const TOLD_MAX = 2_000;

interface Places<L extends Lane, P extends Pool> {
  room(pool: P): Room;
  isHeld(lane: L): boolean;
  isStopping(): boolean;
}

/** What is known of the lanes of one pool. */
interface Known<L> {
  /** By key: something has become due on them since they were claimed for the last time. */
  readonly told: Map<string, L>;
  /** Due at the last look, in their order, and without a place then. */
  ahead: L[];
  aheadUntilMs: number;
  /** Whether lanes may be due that got no place. */
  mayWait: boolean;
}

/** Finds which lanes to claim: those that it was told of, and those that are due, by the last look or another one. */
export class NextLanes<L extends Lane, P extends Pool> {
  readonly #ctx: Ctx;
  readonly #kind: Pick<LaneKind<L, L, P, LaneWorker>, 'keyOf' | 'listDue' | 'aheadMax'>;
  readonly #places: Places<L, P>;
  readonly #known = new Map<P, Known<L>>();

  constructor(
    ctx: Ctx,
    kind: Pick<LaneKind<L, L, P, LaneWorker>, 'keyOf' | 'listDue' | 'aheadMax'>,
    places: Places<L, P>,
  ) {
    [this.#ctx, this.#kind, this.#places] = [ctx, kind, places];
  }

  #of(pool: P): Known<L> {
    const known = this.#known.get(pool) ?? {
      ...{ told: new Map<string, L>(), ahead: [], aheadUntilMs: 0, mayWait: true },
    };
    this.#known.set(pool, known);
    return known;
  }

  /** Something is due on this lane, and nobody here holds it. */
  told(pool: P, lane: L): void {
    const known = this.#of(pool);
    if (known.told.size < TOLD_MAX) known.told.set(this.#kind.keyOf(lane), lane);
    else known.mayWait = true;
  }

  get wasTold(): boolean {
    return this.#known.values().some(({ told }) => told.size > 0);
  }

  /** Whether lanes may be due that got no place. */
  mayWait(pool: P): boolean {
    return this.#of(pool).mayWait;
  }

  /** Of these lanes those that could be claimed now, as many as there are places for, and up to `moreMax` of the rest. */
  async #choose(lanes: AsyncIterable<L> | Iterable<L>, pool: P, moreMax: number): Promise<[L[], L[]]> {
    const room = this.#places.room(pool);
    const taken = new Map(room.taken);
    const chosen = new Map<string, L>();
    const more: L[] = [];
    for await (const lane of lanes) {
      const [key, places] = [this.#kind.keyOf(lane), taken.get(lane.ecpdId) ?? 0];
      // What is held stays so, also when its lease has run out: it is renewed, or found to be another's, with its results in hand.
      if (this.#places.isHeld(lane) || chosen.has(key)) continue;
      if (chosen.size < room.free && places < pool.placesPerProfile) {
        chosen.set(key, lane);
        taken.set(lane.ecpdId, places + 1);
      } else if (more.length < moreMax) more.push(lane);
      if (chosen.size >= room.free && more.length >= moreMax) break;
    }
    return [[...chosen.values()], more];
  }

  /** Lanes that this process could claim now, and some of those that it has no places for. */
  async #listFree(db: Db, pool: P, moreMax = 0): Promise<[L[], L[]]> {
    const { free, taken } = this.#places.room(pool);
    if (free <= 0 || this.#places.isStopping() || !this.#ctx.clock.isRight()) return [[], []];
    const listed = await this.#kind.listDue(db, pool, { free: free + moreMax, taken });
    return this.#choose(listed, pool, moreMax);
  }

  /**
   * Those that something was told of. Where the pool has not places for all, a look decides who gets them; where only a profile has
   * not, its lanes are found by the look that follows when it has one.
   */
  async takeTold(pool: P): Promise<L[]> {
    const known = this.#of(pool);
    const lanes = [...known.told.values()];
    known.told.clear();
    if (this.#places.isStopping() || !this.#ctx.clock.isRight()) return [];
    const [chosen, more] = await this.#choose(lanes, pool, 1);
    if (more.length === 0 || chosen.length < this.#places.room(pool).free) return chosen;
    known.mayWait = true;
    return [];
  }

  async findFirst(db: Db, pool: P): Promise<L | undefined> {
    const [[first]] = await this.#listFree(db, pool);
    return first;
  }

  /** Where the last look has found enough for all places that are free, there is no other. */
  async #takeAhead(pool: P, known: Known<L>): Promise<L[] | undefined> {
    if (known.ahead.length === 0 || performance.now() >= known.aheadUntilMs) return undefined;
    const [chosen, more] = await this.#choose(known.ahead, pool, known.ahead.length);
    known.ahead = more;
    return chosen.length > 0 && chosen.length >= this.#places.room(pool).free ? chosen : undefined;
  }

  async next(pool: P): Promise<L[]> {
    const known = this.#of(pool);
    if (this.#places.isStopping()) return [];
    if (this.#places.room(pool).free <= 0) {
      known.mayWait = true;
      return [];
    }
    return (await this.#takeAhead(pool, known)) ?? this.#look(pool, known);
  }

  async #look(pool: P, known: Known<L>): Promise<L[]> {
    const askedAtMs = performance.now();
    const [chosen, more] = await this.#listFree(this.#ctx.db, pool, this.#kind.aheadMax);
    const foundAtMs = performance.now();
    known.ahead = more;
    known.aheadUntilMs = foundAtMs + Math.max(AHEAD_MS, AHEAD_TIMES * (foundAtMs - askedAtMs));
    known.mayWait = more.length > 0 || chosen.length >= this.#places.room(pool).free;
    return chosen;
  }
}
