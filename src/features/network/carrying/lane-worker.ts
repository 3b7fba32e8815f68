import { type Ctx, inTx } from '../../../platform/context/context.ts';
import type { Loop } from '../../../platform/health/health.ts';
import type { LaneWorker } from '../../../platform/lanes/lane.ts';
import type { LeaseTime } from '../../../platform/lanes/leases.ts';
import { keepTrying } from '../../../platform/lanes/sweeper.ts';
import { type LineNetwork, orderTime } from '../line-network.ts';
import { pauseMs } from '../order.ts';
import type { OrderOutcome } from '../port.ts';
import { noteAnswer, noteFailure } from '../sql-element.ts';
import { findOrderTime } from '../sql-order.ts';
import type { GuardedElement } from './element-lane.ts';
import { endOrders } from './end-orders.ts';
import {
  type Attempted,
  type DueOrder,
  expireOrders,
  holdLane,
  type LeasedLane,
  listDueOrders,
  recordAttempts,
  releaseNext,
} from './sql-lane.ts';

const BATCHES_AT_ONCE = 2;
const PAGE_BATCHES_MAX = 8;
/** A lane is released after this time even if more is due: others may wait for its place. */
const HOLD_MS = 2_000;
const EXPIRED_AT_ONCE = 1_000;
const RECORD_RETRY_MS = [500, 500] as const;
const NOT_CONFIGURED = 'this element is no longer configured';
const NO_ANSWER = 'the element did not answer in time';

interface LaneDeps {
  readonly ctx: Ctx;
  readonly network: LineNetwork;
  /** Undefined if this process does not know the element. */
  readonly element: GuardedElement | undefined;
  readonly afterwards: boolean;
  /** Reports whether outcomes can be recorded. */
  readonly carries: Loop;
  /** Called after they are recorded. */
  readonly onEnded: (orders: readonly DueOrder[], outcomes: readonly OrderOutcome[]) => void;
}

function attemptOf({ orderId, attempts }: DueOrder, result: OrderOutcome): Attempted {
  const reason = 'reason' in result ? result.reason : null;
  if (result.outcome === 'failed')
    return { orderId, state: 'waiting', reason, pauseMs: pauseMs(attempts + 1) };
  const state = result.outcome === 'later' ? 'taken' : result.outcome;
  return { orderId, state, reason, pauseMs: 0 };
}

/**
 * Carries out the orders of one profile for one element in batches, never two orders of one line at a time. While one
 * batch is recorded, the next ones are under way; while the last batch of a page is under way, the next page is read.
 * Then the lane is released for the profile that has waited longest.
 */
export class OrderWorker implements LaneWorker {
  readonly lane: LeasedLane;
  readonly #deps: LaneDeps;
  readonly #lease: LeaseTime;
  readonly #stopping = new AbortController();
  #recording: Promise<void> = Promise.resolve();
  /** Lines with an order that is under way or not recorded yet. */
  readonly #busyLines = new Set<string>();

  constructor(lane: LeasedLane, lease: LeaseTime, deps: LaneDeps) {
    this.lane = lane;
    this.#deps = deps;
    this.#lease = lease;
  }

  #stopped = false;

  /** Starts no more batches; those under way end and are recorded if this worker still holds the lane. */
  stop(): void {
    this.#stopped = true;
  }

  /** Aborts calls to the element. The order is sent again later; the element recognises its id. */
  hurry(): void {
    this.#stopping.abort();
  }

  lost(): void {
    this.stop();
    this.hurry();
  }

  async run(): Promise<void> {
    const { carries, element } = this.#deps;
    try {
      await this.#expire();
      if (element !== undefined) await this.#carryOutAll(element);
      carries.passed();
    } catch (error) {
      carries.failed(error);
      throw error;
    } finally {
      await this.#recording.catch(() => {});
    }
  }

  get #at() {
    return orderTime(this.#deps.network, this.#deps.ctx);
  }

  /** Fails orders that are past their time limit. */
  async #expire(): Promise<void> {
    const { ctx, element } = this.#deps;
    const reason = element === undefined ? NOT_CONFIGURED : NO_ANSWER;
    for (let ended = EXPIRED_AT_ONCE; ended === EXPIRED_AT_ONCE && !this.#stopped; )
      ended = await inTx(
        ctx,
        async (tx) => {
          if (!(await holdLane(tx.db, this.lane))) return 0;
          const orders = await expireOrders(tx.db, this.lane, {
            at: this.#at,
            reason,
            limit: EXPIRED_AT_ONCE,
          });
          await endOrders(tx, this.lane, orders, this.#deps);
          const imsis = orders.map(({ imsi }) => imsi);
          if (imsis.length > 0)
            await releaseNext(tx.db, this.lane.ecpdId, this.lane.element, imsis, this.#at);
          return orders.length;
        },
        this.lane.ecpdId,
      );
  }

  /** After its first successful batch, an element gets two at a time: the next starts before the last one ends. */
  async #carryOutAll(element: GuardedElement): Promise<void> {
    const underWay: Promise<boolean>[] = [];
    let atOnce = 1;
    try {
      for await (const batch of this.#batches(Math.max(1, element.batchMax))) {
        const next = this.#carryOutBatch(element, batch);
        // Awaited after the batch before it.
        next.catch(() => {});
        underWay.push(next);
        if (underWay.length < atOnce) continue;
        if (!(await underWay.shift())) return;
        atOnce = BATCHES_AT_ONCE;
      }
      await Promise.all(underWay);
    } finally {
      // Nothing may be under way when the lane is released, whatever went wrong.
      await Promise.allSettled(underWay);
    }
    await this.#recording;
  }

  /** The first page is one batch: the element starts on it while the next page, twice as long, is read. */
  async *#batches(size: number) {
    const endMs = performance.now() + HOLD_MS;
    let pageMax = size;
    const nextMax = () => Math.min(2 * pageMax, size * PAGE_BATCHES_MAX);
    for (let page = await this.#list(pageMax); page.length > 0; ) {
      let next: Promise<readonly DueOrder[]> = Promise.resolve([]);
      for (let n = 0; n < page.length; n += size) {
        const batch = page.slice(n, n + size);
        for (const { imsi } of batch) this.#busyLines.add(imsi);
        const isLastOfFull = n + size === pageMax;
        if (isLastOfFull && performance.now() < endMs) next = this.#list(nextMax());
        // Awaited if the batch before it succeeds.
        next.catch(() => {});
        yield batch;
      }
      page = await next;
      pageMax = nextMax();
    }
  }

  /** Due orders without busy lines: an order that replaces one under way also waits until that one is recorded. */
  async #list(limit: number): Promise<readonly DueOrder[]> {
    const busy = new Set(this.#busyLines);
    const due = await listDueOrders(this.#deps.ctx.db, this.lane, this.#at, limit + busy.size);
    return due.filter(({ imsi }) => !busy.has(imsi)).slice(0, limit);
  }

  /** Returns whether another batch may follow, once the previous one is recorded. */
  async #carryOutBatch(element: GuardedElement, batch: readonly DueOrder[]): Promise<boolean> {
    if (this.#stopped || !this.#lease.isSafe) return false;
    const outcomes = await element.carryOut(batch, this.#stopping.signal);
    if (outcomes === undefined) return false;
    const before = this.#recording;
    this.#recording = before.then(() => this.#record(element.name, batch, outcomes));
    // Not awaited until the next batch is under way.
    this.#recording.catch(() => {});
    await before;
    return outcomes.some(({ outcome }) => outcome !== 'failed');
  }

  async #record(name: string, orders: readonly DueOrder[], outcomes: readonly OrderOutcome[]): Promise<void> {
    const { ctx, carries, onEnded } = this.#deps;
    const attempted = orders.map((order, n) => attemptOf(order, outcomes[n]!));
    const record = () =>
      inTx(
        ctx,
        async (tx) => {
          if (!(await holdLane(tx.db, this.lane))) return;
          const now = await findOrderTime(tx.db, this.#at);
          const ended = await recordAttempts(tx.db, this.lane, attempted, now);
          await endOrders(tx, this.lane, ended, this.#deps);
        },
        this.lane.ecpdId,
      );
    const isRecorded = await keepTrying(record, RECORD_RETRY_MS, carries, (err) => {
      ctx.log.error({ err, count: orders.length }, 'could not record the outcomes of orders');
      return !this.#stopped;
    });
    for (const { imsi } of orders) this.#busyLines.delete(imsi);
    // What the operator sees of the element must not hold up its orders.
    await this.#note(name, outcomes).catch((err) =>
      ctx.log.warn({ err, element: name }, 'could not record how an element answered'),
    );
    if (isRecorded) onEnded(orders, outcomes);
  }

  /** Records for the operator what the element answered last, and whether it answers. */
  async #note(name: string, outcomes: readonly OrderOutcome[]): Promise<void> {
    const { db, now } = this.#deps.ctx;
    const failure = outcomes.find((result) => 'reason' in result);
    const silent = outcomes.every(({ outcome }) => outcome === 'failed');
    if (failure === undefined) await noteAnswer(db, name);
    else await noteFailure(db, name, { reason: failure.reason, silent, now: now() });
  }
}
