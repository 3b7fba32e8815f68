import type { Ctx } from '../context/context.ts';
import type { Db } from '../db/db.ts';
import type { Lane, LaneKind, LaneWorker, Pool, Room } from './lane.ts';

/** Results of one query are used for at least this long, and for this many times the duration of the query. */
const [AHEAD_MS, AHEAD_TIMES] = [1_000, 10];
/** After a query that found all due lanes, places that become free are given to these for this long, without another query. */
const ALL_KNOWN_MS = 250;
/** At most this many lanes named in notifications are remembered; a query finds the others. */
const NOTIFIED_MAX = 2_000;

interface Places<L extends Lane, P extends Pool> {
  room(pool: P): Room;
  isHeld(lane: L): boolean;
  isStopping(): boolean;
}

/** State of the lanes of one pool. */
interface Known<L> {
  /** Lanes named in a notification since they were last claimed, by key. */
  readonly notified: Map<string, L>;
  /** Lanes that were due at the last query and got no place, in query order. */
  ahead: L[];
  aheadUntilMs: number;
  /** Until then, no other lanes than those ahead are due, unless something changes. */
  allUntilMs: number;
  /** Whether due lanes may be waiting for a place. */
  mayWait: boolean;
}

interface Found<L> {
  readonly chosen: L[];
  /** Some of the due lanes that get no place now. */
  readonly more: L[];
  /** No others are due. */
  readonly areAll: boolean;
}
const NOTHING = { chosen: [], more: [], areAll: false };

/** Finds lanes to claim: lanes named in a notification, and due lanes from the last query or a new one. */
export class NextLanes<L extends Lane, P extends Pool> {
  readonly #ctx: Ctx;
  readonly #kind: Pick<LaneKind<L, L, P, LaneWorker>, 'keyOf' | 'listDue' | 'aheadMax' | 'listsAll'>;
  readonly #places: Places<L, P>;
  readonly #known = new Map<P, Known<L>>();

  constructor(
    ctx: Ctx,
    kind: Pick<LaneKind<L, L, P, LaneWorker>, 'keyOf' | 'listDue' | 'aheadMax' | 'listsAll'>,
    places: Places<L, P>,
  ) {
    [this.#ctx, this.#kind, this.#places] = [ctx, kind, places];
  }

  #of(pool: P): Known<L> {
    const known = this.#known.get(pool) ?? {
      ...{ notified: new Map<string, L>(), ahead: [], aheadUntilMs: 0, allUntilMs: 0, mayWait: true },
    };
    this.#known.set(pool, known);
    return known;
  }

  /** Work is due on this lane, and no worker of this process holds it. */
  notified(pool: P, lane: L): void {
    const known = this.#of(pool);
    if (known.notified.size < NOTIFIED_MAX) known.notified.set(this.#kind.keyOf(lane), lane);
    else known.mayWait = true;
  }

  /** Other lanes may be due than at the last query, or at one that is running. */
  changed(): void {
    if (!this.#kind.listsAll) return;
    for (const [pool, known] of this.#known)
      this.#known.set(pool, { ...known, ahead: [], allUntilMs: 0, mayWait: true });
  }

  get hasNotified(): boolean {
    return this.#known.values().some(({ notified }) => notified.size > 0);
  }

  /** Whether due lanes may be waiting for a place. */
  mayWait(pool: P): boolean {
    return this.#of(pool).mayWait;
  }

  /** The given lanes that can be claimed now, up to the number of free places, and up to `moreMax` of the others. */
  async #choose(lanes: AsyncIterable<L> | Iterable<L>, pool: P, moreMax: number): Promise<[L[], L[]]> {
    const room = this.#places.room(pool);
    const taken = new Map(room.taken);
    const chosen = new Map<string, L>();
    const more: L[] = [];
    for await (const lane of lanes) {
      const [key, places] = [this.#kind.keyOf(lane), taken.get(lane.ecpdId) ?? 0];
      // Skips held lanes even if their leases expired: a worker renews its lane, or loses it with results in hand.
      if (this.#places.isHeld(lane) || chosen.has(key)) continue;
      if (chosen.size < room.free && places < pool.placesPerProfile) {
        chosen.set(key, lane);
        taken.set(lane.ecpdId, places + 1);
      } else if (more.length < moreMax) more.push(lane);
      if (chosen.size >= room.free && more.length >= moreMax) break;
    }
    return [[...chosen.values()], more];
  }

  /** Lanes that this process could claim now. */
  async #listFree(db: Db, pool: P, moreMax = 0): Promise<Found<L>> {
    const { free, taken } = this.#places.room(pool);
    if (free <= 0 || this.#places.isStopping() || !this.#ctx.clock.isRight()) return NOTHING;
    const { listDue, listsAll = false } = this.#kind;
    const listed = await listDue(db, pool, { free: free + moreMax, taken });
    const areAll = listsAll && Array.isArray(listed);
    const [chosen, more] = await this.#choose(listed, pool, areAll ? listed.length : moreMax);
    return { chosen, more, areAll };
  }

  /**
   * Lanes named in a notification. If the pool has too few places for all of them, a query decides the order. If only a
   * profile has too few, the query that runs when a place becomes free finds its lanes.
   */
  async takeNotified(pool: P): Promise<L[]> {
    const known = this.#of(pool);
    const lanes = [...known.notified.values()];
    known.notified.clear();
    if (this.#places.isStopping() || !this.#ctx.clock.isRight()) return [];
    const [chosen, more] = await this.#choose(lanes, pool, 1);
    if (more.length === 0 || chosen.length < this.#places.room(pool).free) return chosen;
    known.mayWait = true;
    return [];
  }

  async findFirst(db: Db, pool: P): Promise<L | undefined> {
    const {
      chosen: [first],
    } = await this.#listFree(db, pool);
    return first;
  }

  /** Undefined if a new query is needed: the last one did not find enough lanes for all free places, and there may be more. */
  async #takeAhead(pool: P, known: Known<L>): Promise<L[] | undefined> {
    const areAll = performance.now() < known.allUntilMs;
    if (!areAll && (known.ahead.length === 0 || performance.now() >= known.aheadUntilMs)) return undefined;
    const [chosen, more] = await this.#choose(known.ahead, pool, known.ahead.length);
    known.ahead = more;
    if (areAll) known.mayWait = more.length > 0;
    else if (chosen.length === 0 || chosen.length < this.#places.room(pool).free) return undefined;
    return chosen;
  }

  async next(pool: P): Promise<L[]> {
    const known = this.#of(pool);
    if (this.#places.isStopping()) return [];
    if (this.#places.room(pool).free <= 0) {
      known.mayWait = true;
      return [];
    }
    return (await this.#takeAhead(pool, known)) ?? this.#query(pool, known);
  }

  async #query(pool: P, known: Known<L>): Promise<L[]> {
    const askedAtMs = performance.now();
    const { chosen, more, areAll } = await this.#listFree(this.#ctx.db, pool, this.#kind.aheadMax);
    const foundAtMs = performance.now();
    known.ahead = more;
    known.aheadUntilMs = foundAtMs + Math.max(AHEAD_MS, AHEAD_TIMES * (foundAtMs - askedAtMs));
    known.allUntilMs = areAll ? askedAtMs + ALL_KNOWN_MS : 0;
    known.mayWait = more.length > 0 || chosen.length >= this.#places.room(pool).free;
    return chosen;
  }
}
