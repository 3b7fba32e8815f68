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
/** A lane is let go after so long, also where more is due: others may wait for its place. */
const TURN_MS = 2_000;
const EXPIRED_AT_ONCE = 1_000;
const RECORD_RETRY_MS = [500, 500] as const;
const NOT_CONFIGURED = 'there is no such element any more';
const NO_ANSWER = 'the element did not answer in time';

interface LaneDeps {
  readonly ctx: Ctx;
  readonly network: LineNetwork;
  /** Undefined where this process knows no such element. */
  readonly element: GuardedElement | undefined;
  readonly afterwards: boolean;
  /** Hears whether what was done can be recorded. */
  readonly carries: Loop;
  /** After they are recorded. */
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
 * Carries out the orders of one profile for one element in batches, never two orders of one line at a time: while one batch is
 * recorded the next are on their way, and while the last of a page is on its way the next page is read. Then the lane is let go,
 * and it is the turn of the profile that has waited longest.
 */
export class OrderWorker implements LaneWorker {
  readonly lane: LeasedLane;
  readonly #deps: LaneDeps;
  readonly #lease: LeaseTime;
  readonly #stopping = new AbortController();
  #recording: Promise<void> = Promise.resolve();
  /** With an order that is under way or not recorded yet. */
  readonly #busyLines = new Set<string>();

  constructor(lane: LeasedLane, lease: LeaseTime, deps: LaneDeps) {
    this.lane = lane;
    this.#deps = deps;
    this.#lease = lease;
  }

  #stopped = false;

  /** Starts nothing any more; what is under way ends, and is recorded if the lane still is ours. */
  stop(): void {
    this.#stopped = true;
  }

  /** What an element is busy with is done again later: it knows the order by its id. */
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

  /** What was tried for long enough has failed. */
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

  /** An element that has carried out the first batch has two at a time: the next one before it has ended the last. */
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
      // Nothing is under way any more when the lane is let go, whatever went wrong.
      await Promise.allSettled(underWay);
    }
    await this.#recording;
  }

  /** The first page is one batch: the element begins with it while the next page, twice as long, is read. */
  async *#batches(size: number) {
    const endMs = performance.now() + TURN_MS;
    let pageMax = size;
    const nextMax = () => Math.min(2 * pageMax, size * PAGE_BATCHES_MAX);
    for (let page = await this.#list(pageMax); page.length > 0; ) {
      let next: Promise<readonly DueOrder[]> = Promise.resolve([]);
      for (let n = 0; n < page.length; n += size) {
        const batch = page.slice(n, n + size);
        for (const { imsi } of batch) this.#busyLines.add(imsi);
        const isLastOfFull = n + size === pageMax;
        if (isLastOfFull && performance.now() < endMs) next = this.#list(nextMax());
        // Awaited where the batch before it went well.
        next.catch(() => {});
        yield batch;
      }
      page = await next;
      pageMax = nextMax();
    }
  }

  /** What is due, without the busy lines: also what has replaced an order that is under way waits until that one is recorded. */
  async #list(limit: number): Promise<readonly DueOrder[]> {
    const busy = new Set(this.#busyLines);
    const due = await listDueOrders(this.#deps.ctx.db, this.lane, this.#at, limit + busy.size);
    return due.filter(({ imsi }) => !busy.has(imsi)).slice(0, limit);
  }

  /** Answers whether more may follow it, when the one before it is recorded. */
  async #carryOutBatch(element: GuardedElement, batch: readonly DueOrder[]): Promise<boolean> {
    if (this.#stopped || !this.#lease.isSafe) return false;
    const outcomes = await element.carryOut(batch, this.#stopping.signal);
    if (outcomes === undefined) return false;
    const before = this.#recording;
    this.#recording = before.then(() => this.#record(element.name, batch, outcomes));
    // Nobody waits for it before the next batch is on its way.
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
      ctx.log.error({ err, count: orders.length }, 'could not record what became of orders');
      return !this.#stopped;
    });
    for (const { imsi } of orders) this.#busyLines.delete(imsi);
    await this.#note(name, outcomes);
    if (isRecorded) onEnded(orders, outcomes);
  }

  /** For whoever looks at the element: what it said last, and whether it answers. */
  async #note(name: string, outcomes: readonly OrderOutcome[]): Promise<void> {
    const { db, now } = this.#deps.ctx;
    const failure = outcomes.find((result) => result.outcome === 'failed' || result.outcome === 'refused');
    if (outcomes.every(({ outcome }) => outcome === 'failed') && failure !== undefined && 'reason' in failure)
      await noteFailure(db, name, failure.reason, now());
    else await noteAnswer(db, name);
  }
}
