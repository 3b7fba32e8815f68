import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../context/context.ts';
import type { Db } from '../db/db.ts';
import type { DueWork } from '../health/due-work.ts';
import { unreportedLoop } from '../health/health.ts';
import { forEachSourceIsolated } from '../health/isolate-failures.ts';
import type { Lane, LaneKind, LaneWorker, Pool, Room } from './lane.ts';
import { LeaseTime, RENEW_MS, renewLanes } from './leases.ts';
import { NextLanes } from './next-lanes.ts';
import { Places } from './places.ts';
import { Settling } from './settling.ts';
import { createSweeper, type Sweeper } from './sweeper.ts';

const STOP_POLL_MS = 10;
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
  readonly #places = new Places<P>();
  readonly #next: NextLanes<L, P>;
  /** By key, those that are being claimed. */
  readonly #claiming = new Set<string>();
  readonly #sweeper: Sweeper;
  readonly #toldClaims: Sweeper;
  readonly #renewals: Sweeper;
  readonly #leaving: Held<Leased, P, W>[] = [];
  /** By key, those that are being let go, and whether something was told of one since. */
  readonly #toldLeaving = new Map<string, boolean>();
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
      find: () => this.#claim((pool) => this.#next.next(pool)),
      loop: kind.loops.claims,
      onError: this.#failed('look for due'),
    });
    this.#toldClaims = createSweeper({
      find: () => this.#claimTold(),
      loop: unreportedLoop,
      onError: this.#failed('claim'),
      isNeeded: () => this.#next.wasTold,
    });
    this.#renewals = createSweeper({
      find: () => this.#renewTurn(),
      loop: kind.loops.renewals,
      onError: this.#failed('renew leases of'),
      ...{ everyMs: RENEW_MS, firstMs: RENEW_MS, isNeeded: () => this.#held.size > 0 },
    });
    this.soon = this.#sweeper.soon;
    this.#next = new NextLanes<L, P>(ctx, kind, {
      room: (pool) => this.room(pool),
      isHeld: (lane) => this.#held.has(kind.keyOf(lane)) || this.#claiming.has(kind.keyOf(lane)),
      isStopping: () => this.#stopping,
    });
    const { settle, watch, ended } = new Settling(ctx, kind, {
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

  /** Something is due on a lane that nobody holds here: it is claimed without a look for others, and not behind one. */
  told(pool: P, lane: L): void {
    const key = this.#kind.keyOf(lane);
    if (this.#toldLeaving.has(key)) return void this.#toldLeaving.set(key, true);
    this.#next.told(pool, lane);
    this.#toldClaims.start();
    this.#toldClaims.soon();
  }

  room(pool: P): Room {
    return this.#places.room(pool);
  }

  /** Whether other lanes may wait for the place of this one. */
  isCrowded(lane: L): boolean {
    const pool = this.#held.get(this.#kind.keyOf(lane))?.pool;
    return pool !== undefined && this.#places.isFull(pool, lane.ecpdId);
  }

  /** Lanes that are quiet leave their places while others may wait for one. */
  #makeRoom(pool: P): void {
    for (const held of this.#held.values())
      if (held.pool === pool && this.#places.isFull(pool, held.lane.ecpdId)) held.worker.giveWay?.();
  }

  async findOldest(db: Db, pool: P): Promise<DueWork | undefined> {
    const oldest = await this.#next.findFirst(db, pool);
    return oldest?.dueAt && { key: this.#kind.keyOf(oldest), dueAt: oldest.dueAt };
  }

  async #claimTold(): Promise<number> {
    const claimed = await this.#claim((pool) => this.#next.takeTold(pool));
    if (this.#kind.pools.some((pool) => this.#next.mayWait(pool))) this.soon();
    return claimed;
  }

  #claim(nextOf: (pool: P) => Promise<readonly L[]>): Promise<number> {
    const { pools, claim, claimsAtOnce, loops, keyOf } = this.#kind;
    const find = async (pool: P) => {
      this.#makeRoom(pool);
      const byProfile = Map.groupBy(await nextOf(pool), ({ ecpdId }) => ecpdId);
      const found = [...byProfile].map(([ecpdId, lanes]) => ({ pool, ecpdId, lanes }));
      for (const { ecpdId, lanes } of found) {
        // They have their places from now on: others may be claimed meanwhile.
        this.#places.count(pool, ecpdId, lanes.length);
        for (const lane of lanes) this.#claiming.add(keyOf(lane));
      }
      return found;
    };
    const claimOf = async ({ pool, ecpdId, lanes }: Awaited<ReturnType<typeof find>>[number]) => {
      const askedAtMs = performance.now();
      const claimed = await claim(ecpdId, lanes, randomUUID()).finally(() => {
        for (const lane of lanes) this.#claiming.delete(keyOf(lane));
        this.#places.count(pool, ecpdId, -lanes.length);
      });
      for (const lane of claimed) this.#hold(pool, lane, askedAtMs);
      // They may have taken the last places, and others wait on.
      if (claimed.length > 0) this.#makeRoom(pool);
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
    this.#places.count(pool, lane.ecpdId, 1);
    this.#renewals.start();
    void worker
      .run()
      .catch(this.#failed('finish'))
      .finally(() => this.#letGo(held));
  }

  #letGo(held: Held<Leased, P, W>): void {
    const key = this.#kind.keyOf(held.lane);
    if (this.#held.get(key) !== held) return;
    const wasFull = this.#places.isFull(held.pool, held.lane.ecpdId);
    this.#held.delete(key);
    this.#places.count(held.pool, held.lane.ecpdId, -1);
    const { release, onEnded } = this.#kind;
    onEnded?.(held.lane);
    this.ended([]);
    // Now, and not when it is let go: who waits for a place has it before what is told of meanwhile.
    if (wasFull || this.#next.mayWait(held.pool)) this.soon();
    if (release === undefined || held.isLost) return void this.#lookAfter([held]);
    this.#leaving.push(held);
    this.#toldLeaving.set(key, false);
    this.#releasing ??= this.#releaseAll(release);
  }

  /** While some are let go the next gather: many that end at once share a statement. */
  async #releaseAll(release: NonNullable<LaneKind<L, Leased, P, W>['release']>): Promise<void> {
    while (this.#leaving.length > 0) {
      for (const [ecpdId, held] of Map.groupBy(this.#leaving.splice(0), ({ lane }) => lane.ecpdId)) {
        const lanes = held.map(({ lane }) => lane);
        await release(ecpdId, lanes).catch(this.#failed('let go of'));
        this.#released(held);
      }
    }
    this.#releasing = undefined;
  }

  #released(held: readonly Held<Leased, P, W>[]): void {
    for (const { pool, lane } of held) {
      const key = this.#kind.keyOf(lane);
      const wasTold = this.#toldLeaving.get(key);
      this.#toldLeaving.delete(key);
      if (wasTold) this.told(pool, lane);
    }
    this.#lookAfter(held);
  }

  /** More may have become due since the worker looked for the last time. */
  #lookAfter(held: readonly Held<Leased, P, W>[]): void {
    const isReason = ({ isLost, worker }: Held<Leased, P, W>) => isLost || worker.isDueAgain === true;
    if (!this.#kind.isToldOfAll || held.some(isReason)) this.soon();
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
    await Promise.all([this.#sweeper.stop(), this.#toldClaims.stop()]);
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
