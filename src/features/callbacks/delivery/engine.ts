import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../../platform/context.ts';
import type { NotificationFeed } from '../../../platform/db/listen.ts';
import { createRenewals, renewLanes } from '../../../platform/leases.ts';
import { createSweeper } from '../../../platform/sweeper.ts';
import { type MoveStep, STALLED_MS, type TimedWork } from '../../../platform/timed-work.ts';
import { noTracing, type Tracing } from '../../../platform/tracing/tracing.ts';
import { findListener } from '../listeners/sql-listener.ts';
import type { SendCallback, SendOutcome } from '../send-callback.ts';
import { CALLBACK_CHANNEL, type LaneNews } from '../sql-message.ts';
import { type LeasedLane, laneKey } from './lane.ts';
import { LaneWorker } from './lane-worker.ts';
import { isAcknowledged } from './policy.ts';
import { prepareListener } from './prepare-listener.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { SilentListeners } from './silence.ts';
import { type Backlog, countWaiting } from './sql-backlog.ts';
import type { EndedAttempt } from './sql-lane.ts';
import * as store from './sql-lane.ts';
import { countDue, findNextOfMove, hasDueOfMove } from './sql-move.ts';
import type { WithholdPayloads } from './withhold-payloads.ts';

/** A lane without work is let go after this, so that any worker can take it. */
const QUIET_MS = 2_000;
/** Who waits for callbacks to be recorded looks again after this. */
const SETTLE_LOOK_MS = 50;
const STEP_LOOK_MS = 500;
const LANES_MAX = 500;
/** One customer whose listeners all take their time leaves the other half to the rest. */
const PROFILE_LANES_MAX = LANES_MAX / 2;

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
  /** Wakes `settle` whenever something has been recorded. */
  let wake = () => {};
  /** Told of what has been recorded. */
  const watching = new Set<(ended: readonly EndedAttempt[]) => void>();
  const silence = new SilentListeners(ctx.clock);

  /** By this lease: the lane may be held anew by then, and that worker's count is not to be touched. */
  const holderOf = (lane: LeasedLane) => {
    const worker = workers.get(laneKey(lane));
    return worker?.lane === lane ? worker : undefined;
  };
  const recorder: Recorder = createRecorder(ctx, {
    isHeld: (lane) => holderOf(lane) !== undefined,
    onSettled(ended) {
      for (const watch of watching) watch(ended);
      for (const [lane, of] of Map.groupBy(ended, (each) => each.lane)) holderOf(lane)?.settled(of);
      wake();
    },
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
    const held = Map.groupBy(workers.values(), ({ lane }) => lane.ecpdId);
    const full = [...held].filter(([, of]) => of.length >= PROFILE_LANES_MAX).map(([ecpdId]) => ecpdId);
    const due = await store.listLanes(ctx.db, {
      dueBy: ctx.now(),
      limit: room,
      except: full,
      perProfileMax: PROFILE_LANES_MAX,
    });
    let claimed = 0;
    // What is held stays so, also when its lease has run out: it is renewed, or found to be another's, with its results in hand.
    const free = due.filter((lane) => !workers.has(laneKey(lane)));
    for (const [ecpdId, all] of Map.groupBy(free, (lane) => lane.ecpdId)) {
      const lanes = all.slice(0, PROFILE_LANES_MAX - (held.get(ecpdId)?.length ?? 0));
      const askedAtMs = performance.now();
      for (const lane of await store.claimLanes(ctx.db, ecpdId, lanes, randomUUID())) {
        const worker = new LaneWorker(lane, askedAtMs, {
          ctx,
          send,
          recorder,
          withhold,
          silence,
          readListener,
          onOutcome,
          tracing,
        });
        workers.set(laneKey(lane), worker);
        renewals.begin();
        worker.poke();
        claims[lane.takenOver ? 'takenOver' : 'free']++;
        claimed++;
      }
    }
    return claimed;
  }

  const sweeper = createSweeper({
    find: claimTurn,
    onError: (error) => ctx.log.error({ err: error }, 'could not look for due callbacks'),
  });

  async function release(lanes: readonly LaneWorker[]): Promise<void> {
    for (const worker of lanes) {
      worker.stop();
      workers.delete(laneKey(worker.lane));
    }
    for (const [ecpdId, of] of Map.groupBy(lanes, ({ lane }) => lane.ecpdId)) {
      await store.releaseLanes(
        ctx.db,
        ecpdId,
        of.map(({ lane }) => lane),
      );
    }
  }

  const letGo = (lanes: readonly LaneWorker[]) =>
    release(lanes).catch((error: unknown) => ctx.log.error({ err: error }, 'could not let lanes go'));
  const onRenewError = (error: unknown) => ctx.log.error({ err: error }, 'could not renew callback lanes');

  const renewals = createRenewals({
    isHolding: () => workers.size > 0,
    async turn() {
      // What is held goes to others, who know the time.
      if (!ctx.clock.isRight()) return;
      const quiet = performance.now() - QUIET_MS;
      const done = [...workers.values()].filter((worker) => worker.isIdle && worker.activeAtMs < quiet);
      // Not waited for: no lease that is needed may run out because one that is not is hard to give back.
      void letGo(done);
      await renewLanes({
        held: workers.values(),
        keyOf: laneKey,
        renew: (ecpdId, lanes) => store.renewLanes(ctx.db, ecpdId, lanes),
        onLost(worker) {
          const key = laneKey(worker.lane);
          if (workers.get(key) !== worker) return;
          worker.abandon();
          workers.delete(key);
        },
        onError: onRenewError,
      });
    },
    onError: onRenewError,
  });

  const isIdle = () => workers.values().every((worker) => worker.isIdle);
  const recordedSome = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, SETTLE_LOOK_MS);
    });
  const lookForDue = async () => {
    for (const worker of workers.values()) worker.poke();
    await sweeper.look();
  };

  /** Of whatever is due, until nothing is. */
  async function finishDue(): Promise<void> {
    while (ctx.clock.isRight()) {
      await lookForDue();
      while (!isIdle()) await recordedSome();
      const next = await store.findNextDue(ctx.db);
      if (next === undefined || next > ctx.now()) return;
      // Still due though nothing is under way: the lane is another's, for as long as its lease lasts.
      if (isIdle()) await recordedSome();
    }
  }

  /** Of what a move waits for, whatever else is due or under way. */
  async function finishStep(step: MoveStep, recorded: () => number): Promise<void> {
    let [seen, seenAtMs] = [0, performance.now()];
    let lookAtMs = seenAtMs;
    while (!step.signal.aborted && ctx.clock.isRight() && (await hasDueOfMove(ctx.db, step))) {
      // Others record all the while: not each of them is a reason to ask for what is due on every lane.
      if (performance.now() >= lookAtMs) {
        await lookForDue();
        lookAtMs = performance.now() + STEP_LOOK_MS;
      }
      await recordedSome();
      if (recorded() > seen) [seen, seenAtMs] = [recorded(), performance.now()];
      else if (performance.now() > seenAtMs + STALLED_MS)
        return void ctx.log.warn('the clock goes on without callbacks that could not be sent');
    }
  }

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
      // A change of a listener may have been among what was not heard.
      feed?.onGap(() => {
        for (const worker of workers.values()) void worker.listenerChanged();
      });
      sweeper.start();
    },
    async stop() {
      stopping = true;
      await sweeper.stop();
      for (const worker of workers.values()) worker.stop();
      recorder.hurry();
      while (!isIdle()) {
        await recorder.drained();
        if (!isIdle()) await new Promise((resolve) => setTimeout(resolve, 10));
      }
      renewals.stop();
      await letGo([...workers.values()]);
    },
    async settle(step) {
      let recorded = 0;
      const count = (ended: readonly EndedAttempt[]) => {
        recorded += ended.filter(({ message }) => step === undefined || message.moveNr <= step.nr).length;
      };
      watching.add(count);
      try {
        await (step === undefined ? finishDue() : finishStep(step, () => recorded));
      } finally {
        watching.delete(count);
      }
      return recorded;
    },
    nextDueAt: (scope) => (scope === undefined ? store.findNextDue(ctx.db) : findNextOfMove(ctx.db, scope)),
    countUnfinished: (until, scope) => countDue(ctx.db, until, scope?.nr),
  };
}
