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
  readonly #sweeper: Sweeper;
  readonly #renewals: Sweeper;
  readonly #leaving: Leased[] = [];
  #releasing: Promise<void> | undefined;
  #stopping = false;
  readonly settle: Settling['settle'];
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
    const { settle, ended } = createSettling(ctx, kind, {
      look: () => this.#lookEverywhere(),
      isIdle: () => this.isIdle,
      isStopping: () => this.#stopping,
    });
    [this.settle, this.ended] = [settle, ended];
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
    const own = [...this.#held.values()].filter((held) => held.pool === pool);
    const byProfile = Map.groupBy(own, ({ lane }) => lane.ecpdId);
    return {
      free: pool.places - own.length,
      taken: new Map(byProfile.entries().map(([ecpdId, of]) => [ecpdId, of.length])),
    };
  }

  /** Lanes that this process could claim now, as many as there are places for. */
  async #listFree(db: Db, pool: P): Promise<L[]> {
    const room = this.room(pool);
    const taken = new Map(room.taken);
    const chosen = new Map<string, L>();
    if (room.free <= 0 || this.#stopping || !this.#ctx.clock.isRight()) return [];
    for await (const lane of await this.#kind.listDue(db, pool, room)) {
      const [key, places] = [this.#kind.keyOf(lane), taken.get(lane.ecpdId) ?? 0];
      // What is held stays so, also when its lease has run out: it is renewed, or found to be another's, with its results in hand.
      if (this.#held.has(key) || chosen.has(key) || places >= pool.placesPerProfile) continue;
      chosen.set(key, lane);
      taken.set(lane.ecpdId, places + 1);
      if (chosen.size >= room.free) break;
    }
    return [...chosen.values()];
  }

  async findOldest(db: Db, pool: P): Promise<DueWork | undefined> {
    const [oldest] = await this.#listFree(db, pool);
    return oldest?.dueAt && { key: this.#kind.keyOf(oldest), dueAt: oldest.dueAt };
  }

  #claimTurn(): Promise<number> {
    const { pools, claim, loops } = this.#kind;
    const find = async (pool: P) => {
      const byProfile = Map.groupBy(await this.#listFree(this.#ctx.db, pool), ({ ecpdId }) => ecpdId);
      return [...byProfile].map(([ecpdId, lanes]) => ({ pool, ecpdId, lanes }));
    };
    const claimOf = async ({ pool, ecpdId, lanes }: Awaited<ReturnType<typeof find>>[number]) => {
      const askedAtMs = performance.now();
      const claimed = await claim(ecpdId, lanes, randomUUID());
      for (const lane of claimed) this.#hold(pool, lane, askedAtMs);
      return claimed.length;
    };
    return forEachSourceIsolated(pools, find, claimOf, this.#failed('look for due'), loops.claims);
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
