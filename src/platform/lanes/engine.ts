import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../context/context.ts';
import type { Db } from '../db/db.ts';
import type { DueWork } from '../health/due-work.ts';
import { forEachSourceIsolated } from '../health/isolate-failures.ts';
import type { Lane, LaneKind, LaneWorker, Pool, Room } from './lane.ts';
import { LeaseTime, RENEW_MS, renewLanes } from './leases.ts';
import { createSettling, type Settling } from './settling.ts';
import { createSweeper, type Sweeper } from './sweeper.ts';

const STOP_POLL_MS = 10;
/** For so long lanes that a look has found are claimed without another; and for so many times as long as it took. */
const [AHEAD_MS, AHEAD_TIMES] = [1_000, 10];
/** What was cut short has this left to come to a safe point. */
const HURRY_MS = 2_000;

interface Held<Leased, P, W> {
  readonly lane: Leased;
  readonly pool: P;
  readonly worker: W;
  renewed(askedAtMs: number): void;
  isLost: boolean;
}

/**
 * Claims lanes, renews their leases, takes over what dead processes left, and lets go what needs no worker any more. What a
 * lane is and what is done on it is decided by its kind.
 */
export class LaneEngine<L extends Lane, Leased extends L, P extends Pool, W extends LaneWorker> {
  readonly #ctx: Ctx;
  readonly #kind: LaneKind<L, Leased, P, W>;
  readonly #held = new Map<string, Held<Leased, P, W>>();
  /** How many places each profile has of a pool. */
  readonly #taken = new Map<P, Map<string, number>>();
  /** Due at the last look, in their order, and without a place then. */
  readonly #ahead = new Map<P, { lanes: L[]; readonly untilMs: number }>();
  readonly #sweeper: Sweeper;
  readonly #renewals: Sweeper;
  readonly #leaving: Leased[] = [];
  #releasing: Promise<void> | undefined;
  #stopping = false;
  readonly settle: Settling['settle'];
  readonly watch: Settling['watch'];
  readonly ended: Settling['ended'];
  /** Something may have become due. */
  readonly soon: () => void;

  constructor(ctx: Ctx, kind: LaneKind<L, Leased, P, W>) {
    this.#ctx = ctx;
    this.#kind = kind;
    this.#sweeper = createSweeper({
      find: () => this.#claimTurn(),
      loop: kind.loops.claims,
      onError: this.#failed('look for due'),
    });
    this.#renewals = createSweeper({
      find: () => this.#renewTurn(),
      loop: kind.loops.renewals,
      onError: this.#failed('renew leases of'),
      ...{ everyMs: RENEW_MS, firstMs: RENEW_MS, isNeeded: () => this.#held.size > 0 },
    });
    this.soon = this.#sweeper.soon;
    const { settle, watch, ended } = createSettling(ctx, kind, {
      look: () => this.#lookEverywhere(),
      isIdle: () => this.isIdle,
      isStopping: () => this.#stopping,
    });
    [this.settle, this.watch, this.ended] = [settle, watch, ended];
  }

  #failed(what: string) {
    return (err: unknown) => this.#ctx.log.error({ err }, `could not ${what} ${this.#kind.name}`);
  }

  get size(): number {
    return this.#held.size;
  }

  get isIdle(): boolean {
    return this.#held.values().every(({ worker }) => worker.isIdle === true);
  }

  workers(): IteratorObject<W> {
    return this.#held.values().map(({ worker }) => worker);
  }

  workerOf(lane: L): W | undefined {
    return this.#held.get(this.#kind.keyOf(lane))?.worker;
  }

  /** By this lease: the lane may be held anew by then, and that worker's count is not to be touched. */
  holderOf(lane: L): W | undefined {
    const held = this.#held.get(this.#kind.keyOf(lane));
    return held?.lane === lane ? held.worker : undefined;
  }

  room(pool: P): Room {
    const taken = this.#taken.get(pool) ?? new Map<string, number>();
    return { free: pool.places - taken.values().reduce((sum, places) => sum + places, 0), taken };
  }

  /** Whether other lanes may wait for the place of this one. */
  isCrowded(lane: L): boolean {
    const pool = this.#held.get(this.#kind.keyOf(lane))?.pool;
    if (pool === undefined) return false;
    const { free, taken } = this.room(pool);
    return free <= 0 || (taken.get(lane.ecpdId) ?? 0) >= pool.placesPerProfile;
  }

  #count(pool: P, ecpdId: string, by: 1 | -1): void {
    const taken = this.#taken.get(pool) ?? new Map<string, number>();
    const places = (taken.get(ecpdId) ?? 0) + by;
    if (places > 0) taken.set(ecpdId, places);
    else taken.delete(ecpdId);
    this.#taken.set(pool, taken);
  }

  /** Of these lanes those that could be claimed now, as many as there are places for, and up to `moreMax` of the rest. */
  async #choose(lanes: AsyncIterable<L> | Iterable<L>, pool: P, moreMax: number): Promise<[L[], L[]]> {
    const room = this.room(pool);
    const taken = new Map(room.taken);
    const chosen = new Map<string, L>();
    const more: L[] = [];
    for await (const lane of lanes) {
      const [key, places] = [this.#kind.keyOf(lane), taken.get(lane.ecpdId) ?? 0];
      // What is held stays so, also when its lease has run out: it is renewed, or found to be another's, with its results in hand.
      if (this.#held.has(key) || chosen.has(key)) continue;
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
    const { free, taken } = this.room(pool);
    if (free <= 0 || this.#stopping || !this.#ctx.clock.isRight()) return [[], []];
    const listed = await this.#kind.listDue(db, pool, { free: free + moreMax, taken });
    return this.#choose(listed, pool, moreMax);
  }

  /** Lanes that are quiet leave their places while others may wait for one. */
  #makeRoom(pool: P): void {
    for (const held of this.#held.values().filter((each) => each.pool === pool && this.isCrowded(each.lane)))
      held.worker.giveWay?.();
  }

  /** The next lanes to claim. Where the last look has found enough for all places that are free, there is no other. */
  async #nextFree(pool: P): Promise<L[]> {
    this.#makeRoom(pool);
    if (this.#stopping || this.room(pool).free <= 0) return [];
    const known = this.#ahead.get(pool);
    if (known !== undefined && performance.now() < known.untilMs) {
      const [chosen, more] = await this.#choose(known.lanes, pool, known.lanes.length);
      known.lanes = more;
      if (chosen.length > 0 && chosen.length >= this.room(pool).free) return chosen;
    }
    const askedAtMs = performance.now();
    const [chosen, lanes] = await this.#listFree(this.#ctx.db, pool, this.#kind.aheadMax);
    const foundAtMs = performance.now();
    const keptMs = Math.max(AHEAD_MS, AHEAD_TIMES * (foundAtMs - askedAtMs));
    this.#ahead.set(pool, { lanes, untilMs: foundAtMs + keptMs });
    return chosen;
  }

  async findOldest(db: Db, pool: P): Promise<DueWork | undefined> {
    const [[oldest]] = await this.#listFree(db, pool);
    return oldest?.dueAt && { key: this.#kind.keyOf(oldest), dueAt: oldest.dueAt };
  }

  #claimTurn(): Promise<number> {
    const { pools, claim, claimsAtOnce, loops } = this.#kind;
    const find = async (pool: P) => {
      const byProfile = Map.groupBy(await this.#nextFree(pool), ({ ecpdId }) => ecpdId);
      return [...byProfile].map(([ecpdId, lanes]) => ({ pool, ecpdId, lanes }));
    };
    const claimOf = async ({ pool, ecpdId, lanes }: Awaited<ReturnType<typeof find>>[number]) => {
      const askedAtMs = performance.now();
      const claimed = await claim(ecpdId, lanes, randomUUID());
      for (const lane of claimed) this.#hold(pool, lane, askedAtMs);
      return claimed.length;
    };
    const failed = this.#failed('look for due');
    return forEachSourceIsolated(pools, find, claimOf, failed, loops.claims, claimsAtOnce);
  }

  #hold(pool: P, lane: Leased, askedAtMs: number): void {
    const lease = new LeaseTime(askedAtMs);
    const worker = this.#kind.work(lane, lease);
    const renewed = (atMs: number) => {
      lease.renewed(atMs);
      worker.renewed?.();
    };
    const held: Held<Leased, P, W> = { lane, pool, worker, renewed, isLost: false };
    this.#held.set(this.#kind.keyOf(lane), held);
    this.#count(pool, lane.ecpdId, 1);
    this.#renewals.start();
    void worker
      .run()
      .catch(this.#failed('finish'))
      .finally(() => this.#letGo(held));
  }

  #letGo(held: Held<Leased, P, W>): void {
    const key = this.#kind.keyOf(held.lane);
    if (this.#held.get(key) !== held) return;
    this.#held.delete(key);
    this.#count(held.pool, held.lane.ecpdId, -1);
    const { release, onEnded } = this.#kind;
    onEnded?.(held.lane);
    this.ended([]);
    if (release === undefined || held.isLost) return void this.soon();
    this.#leaving.push(held.lane);
    this.#releasing ??= this.#releaseAll(release);
  }

  /** While some are let go the next gather: many that end at once share a statement. */
  async #releaseAll(release: NonNullable<LaneKind<L, Leased, P, W>['release']>): Promise<void> {
    while (this.#leaving.length > 0) {
      for (const [ecpdId, lanes] of Map.groupBy(this.#leaving.splice(0), (lane) => lane.ecpdId))
        await release(ecpdId, lanes).catch(this.#failed('let go of'));
      // More may have become due since the worker looked for the last time.
      this.soon();
    }
    this.#releasing = undefined;
  }

  async #renewTurn(): Promise<number> {
    const { keyOf, renew, keepsLanes, loops } = this.#kind;
    if (keepsLanes?.() === false) return 0;
    const onLost = (held: Held<Leased, P, W>) => {
      held.isLost = true;
      held.worker.lost();
    };
    const [held, loop] = [this.#held.values(), loops.renewals];
    await renewLanes<L, Held<Leased, P, W>>({
      held,
      keyOf,
      renew,
      onLost,
      onError: this.#failed('renew leases of'),
      loop,
    });
    return this.#held.size;
  }

  async #lookEverywhere(): Promise<void> {
    for (const worker of this.workers()) worker.poke?.();
    await this.#sweeper.look();
  }

  start(): void {
    const { renewals, others } = this.#kind.loops;
    for (const loop of others) loop.begin();
    renewals.rest();
    this.#sweeper.start();
  }

  /** Claims nothing more, and waits for what is under way, so long at most; the rest is left to its leases. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    await this.#sweeper.stop();
    for (const worker of this.workers()) worker.stop?.();
    await this.#untilIdle(graceMs);
    for (const worker of this.workers()) worker.hurry?.();
    if (this.workers().some(({ hurry }) => hurry !== undefined)) await this.#untilIdle(HURRY_MS);
    void this.#renewals.stop();
    for (const held of this.#held.values().toArray()) if (held.worker.isIdle) this.#letGo(held);
    await this.#releasing;
    for (const loop of this.#kind.loops.others) loop.rest();
  }

  async #untilIdle(graceMs: number): Promise<void> {
    const untilMs = performance.now() + graceMs;
    while (!this.isIdle && performance.now() < untilMs) await sleep(STOP_POLL_MS);
  }
}
