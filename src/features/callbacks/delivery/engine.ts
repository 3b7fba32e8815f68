import { randomUUID } from 'node:crypto';
import type { EcpdId } from '../../../kernel/account-name.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { NotificationFeed } from '../../../platform/db/listen.ts';
import type { TimedWork } from '../../../platform/flow-control/timed-work.ts';
import type { FindOldestDue } from '../../../platform/health/due-work.ts';
import { createHealth, type Health } from '../../../platform/health/health.ts';
import { forEachIsolated } from '../../../platform/health/isolate-failures.ts';
import { createRenewals, renewLanes } from '../../../platform/lanes/leases.ts';
import { createSweeper } from '../../../platform/lanes/sweeper.ts';
import { noTracing, type Tracing } from '../../../platform/telemetry/tracing/tracing.ts';
import { findListener } from '../listeners/sql-listener.ts';
import type { SendCallback, SendOutcome } from '../send-callback.ts';
import { CALLBACK_CHANNEL, type LaneNews } from '../sql-message.ts';
import { type LeasedLane, laneKey } from './lane.ts';
import { LaneWorker } from './lane-worker.ts';
import { isAcknowledged } from './policy.ts';
import { prepareListener } from './prepare-listener.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { createSettling } from './settling.ts';
import { SilentListeners } from './silence.ts';
import { type Backlog, countWaiting } from './sql-backlog.ts';
import * as store from './sql-lane.ts';
import { countDue, findNextOfMove } from './sql-move.ts';
import type { WithholdPayloads } from './withhold-payloads.ts';

/** A lane without work is let go after this, so that any worker can take it. */
const QUIET_MS = 2_000;
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
  readonly findOldestDue: FindOldestDue;
}

export interface DeliveryDeps {
  readonly send: SendCallback;
  readonly userAgent: string;
  readonly withhold: WithholdPayloads;
  readonly feed?: NotificationFeed;
  readonly health?: Health;
  readonly tracing?: Tracing;
}

export function createDeliveryEngine(
  ctx: Ctx,
  { send, userAgent, withhold, feed, health = createHealth(), tracing = noTracing }: DeliveryDeps,
): DeliveryEngine {
  const workers = new Map<string, LaneWorker>();
  const counts = { acknowledged: 0, refused: 0, unanswered: 0 };
  const claims = { free: 0, takenOver: 0 };
  const claiming = health.loop('callbacks.claim');
  const reads = health.loop('callbacks.read', { occasional: true });
  const consents = health.loop('callbacks.consent', { occasional: true });
  const records = health.loop('callbacks.record', { occasional: true });
  const renewing = health.loop('callbacks.renew');
  let stopping = false;
  const silence = new SilentListeners(ctx.clock);

  /** By this lease: the lane may be held anew by then, and that worker's count is not to be touched. */
  const holderOf = (lane: LeasedLane) => {
    const worker = workers.get(laneKey(lane));
    return worker?.lane === lane ? worker : undefined;
  };
  const recorder: Recorder = createRecorder(ctx, {
    loop: records,
    isHeld: (lane) => holderOf(lane) !== undefined,
    onSettled(ended) {
      for (const [lane, of] of Map.groupBy(ended, (each) => each.lane)) holderOf(lane)?.settled(of);
      settling.note(ended);
    },
  });
  const readListener = async (lane: LeasedLane) => {
    const [row, isOurs] = await Promise.all([
      findListener(ctx.db, lane, lane.serviceName),
      // Its account may have been deleted and made anew: what is sent without the lane cannot be recorded, and is sent again.
      store.isLaneHeld(ctx.db, lane),
    ]);
    if (row === undefined || row.url === null || row.paused || !isOurs) return undefined;
    try {
      return prepareListener(ctx, { ...row, url: row.url }, userAgent);
    } catch (error) {
      // Of this listener alone: its messages wait for the key that is missing here, and nobody else's do.
      ctx.log.error({ err: error }, 'the secrets of a listener cannot be opened');
      return undefined;
    }
  };
  const onOutcome = (_lane: LeasedLane, outcome: SendOutcome) => {
    counts[outcome.status === null ? 'unanswered' : isAcknowledged(outcome) ? 'acknowledged' : 'refused']++;
  };

  const heldByProfile = () => Map.groupBy(workers.values(), ({ lane }) => lane.ecpdId);

  /** Lanes with due messages that nobody works and that this process may hold, the oldest first. */
  async function listFree(db: Db) {
    const room = LANES_MAX - workers.size;
    if (room <= 0 || stopping || !ctx.clock.isRight()) return [];
    const full = [...heldByProfile()].filter(([, of]) => of.length >= PROFILE_LANES_MAX);
    return store.listLanes(db, {
      dueBy: ctx.now(),
      limit: room,
      except: full.map(([ecpdId]) => ecpdId),
      perProfileMax: PROFILE_LANES_MAX,
    });
  }

  /** Takes as many of them as it may hold. */
  async function claimTurn(): Promise<number> {
    // What is held stays so, also when its lease has run out: it is renewed, or found to be another's, with its results in hand.
    const free = (await listFree(ctx.db)).filter((lane) => !workers.has(laneKey(lane)));
    const held = heldByProfile();
    const claimOf = async ([ecpdId, all]: [EcpdId, typeof free]) => {
      let claimed = 0;
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
          reads,
          consents,
          tracing,
        });
        workers.set(laneKey(lane), worker);
        renewals.begin();
        worker.poke();
        claims[lane.takenOver ? 'takenOver' : 'free']++;
        claimed++;
      }
      return claimed;
    };
    return forEachIsolated(
      Map.groupBy(free, (lane) => lane.ecpdId),
      claimOf,
      onClaimError,
      claiming,
    );
  }

  const onClaimError = (error: unknown) => ctx.log.error({ err: error }, 'could not look for due callbacks');
  const sweeper = createSweeper({
    find: claimTurn,
    loop: claiming,
    onError: onClaimError,
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
        loop: renewing,
      });
    },
    loop: renewing,
    onError: onRenewError,
  });

  const isIdle = () => workers.values().every((worker) => worker.isIdle);
  const settling = createSettling(ctx, {
    isIdle,
    async lookForDue() {
      for (const worker of workers.values()) worker.poke();
      await sweeper.look();
    },
  });

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
      for (const loop of [reads, consents, records]) loop.begin();
      renewing.rest();
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
      for (const loop of [reads, consents, records]) loop.rest();
    },
    settle: settling.settle,
    nextDueAt: (scope) => (scope === undefined ? store.findNextDue(ctx.db) : findNextOfMove(ctx.db, scope)),
    async findOldestDue(db) {
      const [oldest] = await listFree(db);
      return oldest && { key: laneKey(oldest), dueAt: oldest.dueAt };
    },
    countUnfinished: (until, scope) => countDue(ctx.db, until, scope?.nr),
  };
}
