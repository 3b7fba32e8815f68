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
/** Time for workers to reach a safe point after `hurry`. */
const HURRY_MS = 2_000;

interface Held<Leased, P, W> {
  readonly lane: Leased;
  readonly pool: P;
  readonly worker: W;
  renewed(askedAtMs: number): void;
  isLost: boolean;
}

/**
 * Claims lanes, renews their leases, takes over lanes of dead processes, and releases lanes that need no worker. The kind
 * defines what a lane is and what a worker does with it.
 */
export class LaneEngine<L extends Lane, Leased extends L, P extends Pool, W extends LaneWorker> {
  readonly #ctx: Ctx;
  readonly #kind: LaneKind<L, Leased, P, W>;
  readonly #held = new Map<string, Held<Leased, P, W>>();
  readonly #places = new Places<P>();
  readonly #next: NextLanes<L, P>;
  /** Keys of lanes that are being claimed. */
  readonly #claiming = new Set<string>();
  readonly #sweeper: Sweeper;
  readonly #notifiedClaims: Sweeper;
  readonly #renewals: Sweeper;
  readonly #toRelease: Held<Leased, P, W>[] = [];
  /** Keys of lanes that are being released, and whether a notification arrived since. */
  readonly #notifiedWhileReleasing = new Map<string, boolean>();
  #releasing: Promise<void> | undefined;
  #started = false;
  #stopping = false;
  readonly settle: Settling['settle'];
  readonly watch: Settling['watch'];
  readonly ended: Settling['ended'];
  /** Call this when other lanes are due than before, for a reason that no query sees. */
  readonly changed: () => void;
  /** Call this when work may have become due. */
  readonly soon: () => void;

  constructor(ctx: Ctx, kind: LaneKind<L, Leased, P, W>) {
    this.#ctx = ctx;
    this.#kind = kind;
    this.#sweeper = createSweeper({
      find: () => this.#claim((pool) => this.#next.next(pool)),
      loop: kind.loops.claims,
      onError: this.#failed('find due'),
    });
    this.#notifiedClaims = createSweeper({
      find: () => this.#claimNotified(),
      loop: unreportedLoop,
      onError: this.#failed('claim'),
      isNeeded: () => this.#next.hasNotified,
    });
    this.#renewals = createSweeper({
      find: () => this.#renewAll(),
      loop: kind.loops.renewals,
      onError: this.#failed('renew leases of'),
      ...{ everyMs: RENEW_MS, firstMs: RENEW_MS, isNeeded: () => this.#held.size > 0 },
    });
    this.changed = () => this.#next.changed();
    this.soon = () => {
      this.changed();
      this.#sweeper.soon();
    };
    this.#next = new NextLanes<L, P>(ctx, kind, {
      room: (pool) => this.room(pool),
      isHeld: (lane) => this.#held.has(kind.keyOf(lane)) || this.#claiming.has(kind.keyOf(lane)),
      isStopping: () => this.#stopping,
    });
    const { settle, watch, ended } = new Settling(ctx, kind, {
      sweep: () => this.#sweepAll(),
      holdsFor: (step) =>
        this.#started && this.#held.values().some(({ lane }) => kind.isAwaited?.(lane, step) === true),
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

  /** Undefined if the lane was claimed again since: its new worker must not count for the old lease. */
  holderOf(lane: L): W | undefined {
    const held = this.#held.get(this.#kind.keyOf(lane));
    return held?.lane === lane ? held.worker : undefined;
  }

  /** Work is due on a lane not held here: claims the lane without a query, and without waiting for one. */
  notified(pool: P, lane: L): void {
    const key = this.#kind.keyOf(lane);
    if (this.#notifiedWhileReleasing.has(key)) return void this.#notifiedWhileReleasing.set(key, true);
    this.#next.notified(pool, lane);
    this.#notifiedClaims.start();
    this.#notifiedClaims.soon();
  }

  room(pool: P): Room {
    return this.#places.room(pool);
  }

  /** Whether other lanes may be waiting for the place of this one. */
  isCrowded(lane: L): boolean {
    const pool = this.#held.get(this.#kind.keyOf(lane))?.pool;
    return pool !== undefined && this.#places.isFull(pool, lane.ecpdId);
  }

  /** Quiet lanes give up their places while other lanes may be waiting for one. */
  #makeRoom(pool: P): void {
    for (const held of this.#held.values())
      if (held.pool === pool && this.#places.isFull(pool, held.lane.ecpdId)) held.worker.giveWay?.();
  }

  async findOldest(db: Db, pool: P): Promise<DueWork | undefined> {
    const oldest = await this.#next.findFirst(db, pool);
    return oldest?.dueAt && { key: this.#kind.keyOf(oldest), dueAt: oldest.dueAt };
  }

  async #claimNotified(): Promise<number> {
    const claimed = await this.#claim((pool) => this.#next.takeNotified(pool));
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
        // Count the places now: other claims may run at the same time.
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
      // These lanes may have taken the last places while others are still waiting.
      if (claimed.length > 0) this.#makeRoom(pool);
      return claimed.length;
    };
    const failed = this.#failed('find due');
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
      .finally(() => this.#removeHeld(held));
  }

  #removeHeld(held: Held<Leased, P, W>): void {
    const key = this.#kind.keyOf(held.lane);
    if (this.#held.get(key) !== held) return;
    const wasFull = this.#places.isFull(held.pool, held.lane.ecpdId);
    this.#held.delete(key);
    this.#places.count(held.pool, held.lane.ecpdId, -1);
    const { release, onEnded } = this.#kind;
    onEnded?.(held.lane);
    this.ended([]);
    // Sweep now, before the release: lanes that wait for a place come before lanes notified in the meantime.
    if (wasFull || this.#next.mayWait(held.pool)) this.#sweeper.soon();
    if (release === undefined || held.isLost) return void this.#sweepIfDue([held]);
    this.#toRelease.push(held);
    this.#notifiedWhileReleasing.set(key, false);
    this.#releasing ??= this.#releaseAll(release);
  }

  /** Lanes that end during one release are collected for the next, so that many share one statement. */
  async #releaseAll(release: NonNullable<LaneKind<L, Leased, P, W>['release']>): Promise<void> {
    while (this.#toRelease.length > 0) {
      for (const [ecpdId, held] of Map.groupBy(this.#toRelease.splice(0), ({ lane }) => lane.ecpdId)) {
        const lanes = held.map(({ lane }) => lane);
        await release(ecpdId, lanes).catch(this.#failed('release'));
        this.#released(held);
      }
    }
    this.#releasing = undefined;
  }

  #released(held: readonly Held<Leased, P, W>[]): void {
    for (const { pool, lane } of held) {
      const key = this.#kind.keyOf(lane);
      const wasNotified = this.#notifiedWhileReleasing.get(key);
      this.#notifiedWhileReleasing.delete(key);
      if (wasNotified) this.notified(pool, lane);
    }
    this.#sweepIfDue(held);
  }

  /** More work may have become due since the worker's last query. */
  #sweepIfDue(held: readonly Held<Leased, P, W>[]): void {
    const isReason = ({ isLost, worker }: Held<Leased, P, W>) => isLost || worker.isDueAgain === true;
    if (!this.#kind.notifiesAll || held.some(isReason)) this.soon();
  }

  async #renewAll(): Promise<number> {
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

  async #sweepAll(): Promise<void> {
    for (const worker of this.workers()) worker.poke?.();
    this.changed();
    await this.#sweeper.sweep();
  }

  start(): void {
    const { renewals, others } = this.#kind.loops;
    for (const loop of others) loop.begin();
    renewals.rest();
    this.#started = true;
    this.#sweeper.start();
  }

  /** Claims no more lanes and waits at most `graceMs` for running work. Leases of unfinished work expire. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    await Promise.all([this.#sweeper.stop(), this.#notifiedClaims.stop()]);
    for (const worker of this.workers()) worker.stop?.();
    await this.#untilIdle(graceMs);
    for (const worker of this.workers()) worker.hurry?.();
    if (this.workers().some(({ hurry }) => hurry !== undefined)) await this.#untilIdle(HURRY_MS);
    void this.#renewals.stop();
    for (const held of this.#held.values().toArray()) if (held.worker.isIdle) this.#removeHeld(held);
    await this.#releasing;
    for (const loop of this.#kind.loops.others) loop.rest();
  }

  async #untilIdle(graceMs: number): Promise<void> {
    const untilMs = performance.now() + graceMs;
    while (!this.isIdle && performance.now() < untilMs) await sleep(STOP_POLL_MS);
  }
}
