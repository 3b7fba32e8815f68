import { randomUUID } from 'node:crypto';
import type { TimedWork } from '../../../platform/clock-mover.ts';
import type { Ctx } from '../../../platform/context.ts';
import type { NotificationFeed } from '../../../platform/db/listen.ts';
import { createSweeper } from '../../../platform/sweeper.ts';
import { noTracing, type Tracing } from '../../../platform/tracing/tracing.ts';
import { findListener } from '../listeners/sql-listener.ts';
import type { SendCallback, SendOutcome } from '../send-callback.ts';
import { CALLBACK_CHANNEL, type LaneNews } from '../sql-message.ts';
import { type LeasedLane, laneKey } from './lane.ts';
import { LaneWorker } from './lane-worker.ts';
import { isAcknowledged } from './policy.ts';
import { prepareListener } from './prepare-listener.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { type Backlog, countWaiting } from './sql-backlog.ts';
import * as store from './sql-lane.ts';
import type { WithholdPayloads } from './withhold-payloads.ts';

const RENEW_MS = 1_000;
/** A lane without work is let go after this, so that any worker can take it. */
const QUIET_MS = 2_000;
const LANES_MAX = 500;

export interface DeliveryEngine extends TimedWork {
  start(): void;
  /** Claims and sends nothing more, waits for what is under way, records it and lets its lanes go. */
  stop(): Promise<void>;
  /** For the metrics: attempts by outcome since the start. */
  readonly counts: Readonly<Record<'acknowledged' | 'refused' | 'unanswered', number>>;
  /** For the metrics: lanes claimed since the start that were free, and that a dead worker had left. */
  readonly claims: Readonly<Record<'free' | 'takenOver', number>>;
  /** For the metrics: lanes this process holds, and messages under way. */
  load(): Readonly<Record<'lanes' | 'underWay', number>>;
  /** For the metrics: what waits in all processes. */
  backlog(): Promise<Backlog>;
}

export interface DeliveryDeps {
  readonly send: SendCallback;
  readonly userAgent: string;
  readonly withhold: WithholdPayloads;
  readonly feed?: NotificationFeed;
  readonly tracing?: Tracing;
}

export function createDeliveryEngine(
  ctx: Ctx,
  { send, userAgent, withhold, feed, tracing = noTracing }: DeliveryDeps,
): DeliveryEngine {
  const workers = new Map<string, LaneWorker>();
  const counts = { acknowledged: 0, refused: 0, unanswered: 0 };
  const claims = { free: 0, takenOver: 0 };
  let stopping = false;
  let renewTimer: NodeJS.Timeout | undefined;
  /** Wakes `settle` whenever something has been recorded. */
  let wake = () => {};
  let recordedTotal = 0;

  const recorder: Recorder = createRecorder(ctx, (ended) => {
    recordedTotal += ended.length;
    for (const [lane, of] of Map.groupBy(ended, (each) => each.lane)) {
      const worker = workers.get(laneKey(lane));
      // By then the lane may be held anew, under another lease: that worker's count is not to be touched.
      if (worker?.lane === lane) worker.recorded(of.length);
    }
    wake();
  });
  const readListener = async (lane: LeasedLane) => {
    const row = await findListener(ctx.db, lane, lane.serviceName);
    return row === undefined || row.url === null || row.paused
      ? undefined
      : prepareListener(ctx, { ...row, url: row.url }, userAgent);
  };
  const onOutcome = (_lane: LeasedLane, outcome: SendOutcome) => {
    counts[outcome.status === null ? 'unanswered' : isAcknowledged(outcome) ? 'acknowledged' : 'refused']++;
  };

  /** Looks for lanes with due messages that nobody works, and takes as many as it may hold. */
  async function claimTurn(): Promise<number> {
    const room = LANES_MAX - workers.size;
    if (room <= 0 || stopping || !ctx.clock.isRight()) return 0;
    const due = await store.listLanes(ctx.db, { dueBy: ctx.now(), limit: room });
    let claimed = 0;
    for (const [ecpdId, lanes] of Map.groupBy(due, (lane) => lane.ecpdId)) {
      const askedAtMs = performance.now();
      for (const lane of await store.claimLanes(ctx.db, ecpdId, lanes, randomUUID())) {
        const worker = new LaneWorker(lane, askedAtMs, {
          ctx,
          send,
          recorder,
          withhold,
          readListener,
          onOutcome,
          tracing,
        });
        workers.set(laneKey(lane), worker);
        worker.poke();
        claims[lane.takenOver ? 'takenOver' : 'free']++;
        claimed++;
      }
    }
    if (claimed > 0) renewSoon();
    return claimed;
  }

  const sweeper = createSweeper({
    find: claimTurn,
    onError: (error) => ctx.log.error({ err: error }, 'could not look for due callbacks'),
  });

  async function release(lanes: readonly LaneWorker[]): Promise<void> {
    for (const { lane } of lanes) workers.delete(laneKey(lane));
    for (const [ecpdId, of] of Map.groupBy(lanes, ({ lane }) => lane.ecpdId)) {
      await store.releaseLanes(
        ctx.db,
        ecpdId,
        of.map(({ lane }) => lane),
      );
    }
  }

  async function renewTurn(): Promise<void> {
    const quiet = performance.now() - QUIET_MS;
    await release([...workers.values()].filter((worker) => worker.isIdle && worker.activeAtMs < quiet));
    for (const [ecpdId, held] of Map.groupBy(workers.values(), ({ lane }) => lane.ecpdId)) {
      const askedAtMs = performance.now();
      const kept = new Set(
        (
          await store.renewLanes(
            ctx.db,
            ecpdId,
            held.map(({ lane }) => lane),
          )
        ).map(laneKey),
      );
      for (const worker of held) {
        const key = laneKey(worker.lane);
        if (kept.has(key)) worker.renewed(askedAtMs);
        else if (workers.get(key) === worker) {
          worker.abandon();
          workers.delete(key);
        }
      }
    }
  }

  function renewSoon(): void {
    renewTimer ??= setTimeout(async () => {
      await renewTurn().catch((error: unknown) =>
        ctx.log.error({ err: error }, 'could not renew callback lanes'),
      );
      renewTimer = undefined;
      if (workers.size > 0) renewSoon();
    }, RENEW_MS);
  }

  const isIdle = () => workers.values().every((worker) => worker.isIdle);

  return {
    counts,
    claims,
    load: () => ({
      lanes: workers.size,
      underWay: workers.values().reduce((sum, worker) => sum + worker.underWay, 0),
    }),
    backlog: () => countWaiting(ctx.db, ctx.now()),
    start() {
      feed?.on(CALLBACK_CHANNEL, (text) => {
        const { lane, what } = JSON.parse(text) as LaneNews;
        const worker = workers.get(laneKey(lane));
        if (worker === undefined) return sweeper.soon();
        if (what === 'listener') void worker.listenerChanged();
        else worker.poke();
      });
      sweeper.start();
    },
    async stop() {
      stopping = true;
      await sweeper.stop();
      for (const worker of workers.values()) worker.stop();
      while (!isIdle()) {
        await recorder.drained();
        if (!isIdle()) await new Promise((resolve) => setTimeout(resolve, 10));
      }
      clearTimeout(renewTimer);
      await release([...workers.values()]).catch((error: unknown) =>
        ctx.log.error({ err: error }, 'could not let lanes go'),
      );
    },
    async settle(signal) {
      const before = recordedTotal;
      while (!signal?.aborted) {
        for (const worker of workers.values()) worker.poke();
        await sweeper.look();
        while (!isIdle() && !signal?.aborted) {
          await new Promise<void>((resolve) => {
            wake = resolve;
            setTimeout(resolve, 50);
          });
        }
        const next = await store.findNextDue(ctx.db);
        if (next === undefined || next > ctx.now()) break;
        // Still due though nothing is under way: the lane is another's, for as long as its lease lasts.
        if (isIdle()) await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return recordedTotal - before;
    },
    nextDueAt: () => store.findNextDue(ctx.db),
    countUnfinished: (until) => store.countDue(ctx.db, until),
  };
}
