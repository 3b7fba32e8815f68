import type { Ctx } from '../../../platform/context/context.ts';
import type { NotificationFeed } from '../../../platform/db/listen.ts';
import type { TimedWork } from '../../../platform/flow-control/timed-work.ts';
import type { FindOldestDue } from '../../../platform/health/due-work.ts';
import { createHealth, type Health } from '../../../platform/health/health.ts';
import { LaneEngine } from '../../../platform/lanes/engine.ts';
import type { LaneKind, Pool } from '../../../platform/lanes/lane.ts';
import type { LeaseTime } from '../../../platform/lanes/leases.ts';
import { timesOf } from '../../../platform/lanes/sql-times.ts';
import { noTracing, type Tracing } from '../../../platform/telemetry/tracing/tracing.ts';
import { CALLBACK_CHANNEL, type LaneNews } from '../messages/sql-message.ts';
import type { SendCallback, WithholdPayloads } from '../send-callback.ts';
import { type Backlog, countWaiting } from './health.ts';
import { type Lane, type LeasedLane, laneKey } from './lane.ts';
import { createLaneReads } from './lane-reads.ts';
import { CallbackWorker, type WorkerDeps } from './lane-worker.ts';
import { isAcknowledged } from './policy.ts';
import { createRecorder } from './recorder.ts';
import { SendBudget } from './send-budget.ts';
import { SendPace } from './send-pace.ts';
import { SilentListeners } from './silence.ts';
import * as store from './sql-lane.ts';

/** The query reads one entry of each waiting lane. With many of them, it fetches several times the free places. */
const AHEAD_MAX = 2_000;
/** Each claim waits for the disk: customers with one listener each should not wait for one another. */
const CLAIMS_AT_ONCE = 4;
/** A customer whose listeners are all slow leaves half of the places to the others. */
const POOL = { places: 500, placesPerProfile: 250 };
/** Longer than one attempt plus the time limit for recording it. */
const STOP_MS = 22_000;

export interface DeliveryEngine extends TimedWork {
  start(): void;
  /** Stops claiming and sending, waits for attempts under way, records them and releases the lanes. */
  stop(): Promise<void>;
  /** For the metrics: attempts by outcome since the start. */
  readonly counts: Readonly<Record<'acknowledged' | 'refused' | 'unanswered', number>>;
  /** For the metrics: lanes claimed since the start that were free, and those taken over from a dead worker. */
  readonly claims: Readonly<Record<'free' | 'takenOver', number>>;
  /** For the metrics: lanes held and messages under way in this process. */
  load(): Readonly<Record<'lanes' | 'underWay', number>>;
  /** For the metrics: waiting messages of all processes. */
  backlog(): Promise<Backlog>;
  readonly findOldestDue: FindOldestDue;
}

interface DeliveryDeps {
  readonly send: SendCallback;
  readonly userAgent: string;
  readonly withhold: WithholdPayloads;
  readonly feed?: NotificationFeed;
  readonly health?: Health;
  readonly tracing?: Tracing;
}

type Leased = LeasedLane & { readonly takenOver: boolean };
type Lanes = LaneEngine<Lane, Leased, Pool, CallbackWorker>;
type Kind = LaneKind<Lane, Leased, Pool, CallbackWorker>;

interface Hooks extends Pick<WorkerDeps, 'onOutcome'>, Pick<Kind, 'isDue'> {
  onClaimed(lane: Leased): void;
}

/** Each lane is one listener. */
const laneKind = (ctx: Ctx, parts: Pick<Kind, 'work' | 'loops' | 'isDue'>): Kind => ({
  ...parts,
  name: 'callbacks',
  pools: [POOL],
  aheadMax: AHEAD_MAX,
  notifiesAll: true,
  claimsAtOnce: CLAIMS_AT_ONCE,
  keyOf: laneKey,
  listDue(db, { placesPerProfile }, { free, taken }) {
    const full = [...taken].filter(([, places]) => places >= placesPerProfile);
    const except = full.map(([ecpdId]) => ecpdId);
    return store.listLanes(db, { dueBy: ctx.now(), limit: free, except, perProfileMax: placesPerProfile });
  },
  claim: (ecpdId, lanes, leaseToken) => store.claimLanes(ctx.db, ecpdId, lanes, leaseToken),
  renew: (ecpdId, lanes) => store.renewLanes(ctx.db, ecpdId, lanes),
  release: (ecpdId, lanes) => store.releaseLanes(ctx.db, ecpdId, lanes),
  // While this clock is wrong, leases are not renewed: processes with the right time take the lanes over.
  keepsLanes: () => ctx.clock.isRight(),
  askMs: 50,
  sweepMs: 500,
});

function createLanes(
  ctx: Ctx,
  { send, userAgent, withhold, health = createHealth(), tracing = noTracing }: DeliveryDeps,
  { isDue, onOutcome, onClaimed }: Hooks,
): Lanes {
  const [reads, consents, records] = [
    health.loop('callbacks.read', { occasional: true }),
    health.loop('callbacks.consent', { occasional: true }),
    health.loop('callbacks.record', { occasional: true }),
  ];
  const recorder = createRecorder(ctx, {
    loop: records,
    isHeld: (lane) => lanes.holderOf(lane) !== undefined,
    onSettled(ended) {
      for (const [lane, of] of Map.groupBy(ended, (each) => each.lane)) lanes.holderOf(lane)?.settled(of);
      lanes.ended(ended.values().map(({ message }) => message.moveNr));
    },
  });
  const silence = new SilentListeners(ctx.clock);
  const laneReads = createLaneReads(ctx);
  const [budget, pace] = [new SendBudget(), new SendPace()];
  const isCrowded = (lane: Lane) => lanes.isCrowded(lane);
  const io = { ctx, send, userAgent, laneReads, recorder, tracing };
  const rules = { budget, pace, withhold, silence, isCrowded, onOutcome };
  const work = (lane: Leased, lease: LeaseTime) => {
    onClaimed(lane);
    return new CallbackWorker(lane, lease, { ...io, ...rules, reads, consents });
  };
  const [claims, renewals] = [health.loop('callbacks.claim'), health.loop('callbacks.renew')];
  const loops = { claims, renewals, others: [reads, consents, records] };
  const lanes: Lanes = new LaneEngine(ctx, laneKind(ctx, { work, loops, isDue }));
  return lanes;
}

function listen(feed: NotificationFeed, lanes: Lanes): void {
  feed.on(CALLBACK_CHANNEL, (text) => {
    const { lane, what } = JSON.parse(text) as LaneNews;
    const worker = lanes.workerOf(lane);
    if (worker === undefined) lanes.notified(POOL, lane);
    else if (what === 'listener') void worker.listenerChanged();
    else worker.poke();
  });
  // The missed notifications may include a change of a listener.
  feed.onGap(() => {
    for (const worker of lanes.workers()) void worker.listenerChanged();
  });
}

export function createDeliveryEngine(ctx: Ctx, deps: DeliveryDeps): DeliveryEngine {
  const counts = { acknowledged: 0, refused: 0, unanswered: 0 };
  const claims = { free: 0, takenOver: 0 };
  const times = timesOf(ctx, store.WAITING, store.findNextDue);
  const lanes = createLanes(ctx, deps, {
    isDue: times.isDue,
    onOutcome(outcome) {
      counts[outcome.status === null ? 'unanswered' : isAcknowledged(outcome) ? 'acknowledged' : 'refused']++;
    },
    onClaimed: ({ takenOver }) => void claims[takenOver ? 'takenOver' : 'free']++,
  });

  return {
    counts,
    claims,
    load: () => ({
      lanes: lanes.size,
      underWay: lanes.workers().reduce((sum, { underWay }) => sum + underWay, 0),
    }),
    backlog: () => countWaiting(ctx.db, ctx.now()),
    start() {
      if (deps.feed !== undefined) listen(deps.feed, lanes);
      lanes.start();
    },
    stop: () => lanes.stop(STOP_MS),
    settle: lanes.settle,
    watch: lanes.watch,
    nextDueAt: times.nextDueAt,
    findOldestDue: (db) => lanes.findOldest(db, POOL),
    countUnfinished: times.countUnfinished,
  };
}
