import type { Ctx } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { NotificationFeed } from '../../../platform/db/listen.ts';
import type { TimedWork } from '../../../platform/flow-control/timed-work.ts';
import { createHealth, type Health } from '../../../platform/health/health.ts';
import { LaneEngine } from '../../../platform/lanes/engine.ts';
import { timesOf } from '../../../platform/lanes/sql-times.ts';
import { type LineNetwork, orderTime } from '../line-network.ts';
import { ORDER_CHANNEL } from '../order-lines.ts';
import type { NetworkElement, OrderOutcome } from '../port.ts';
import { listPaused } from '../sql-element.ts';
import { type GuardedElement, guardElement } from './element-lane.ts';
import { OrderWorker } from './lane-worker.ts';
import * as store from './sql-lane.ts';
import { type Lane, type LeasedLane, laneKey } from './sql-lane.ts';

/** For each element, a process works for this many profiles at once, each with at most two batches under way. */
const PLACES = { places: 4, placesPerProfile: 1 };
/** Per element: more than there are places. */
const LANES_PER_QUERY = 250;
/** For this long, all pools share the result of one query. */
const SHARED_MS = 50;

/** An element, and whether it is only notified afterwards. */
export interface ConnectedElement {
  readonly element: NetworkElement;
  readonly afterwards: boolean;
}

type OrderCounts = Record<OrderOutcome['outcome'], number>;

export interface OrderEngine extends TimedWork {
  start(): void;
  /** Starts nothing more and waits at most `graceMs` for work under way; the leases of the rest lapse. */
  stop(graceMs: number): Promise<void>;
  /** For the metrics: answers of each element since the start. */
  readonly counts: ReadonlyMap<string, Readonly<OrderCounts>>;
}

interface EngineDeps {
  readonly network: LineNetwork;
  readonly elements: readonly ConnectedElement[];
  readonly feed?: NotificationFeed;
  readonly health?: Health;
  /** How long an element that does not answer is left alone; tests set a short time. */
  readonly openMs?: number | undefined;
}

interface ElementPool {
  readonly places: number;
  readonly placesPerProfile: number;
  /** Undefined for the pool of orders to elements that this process does not know. */
  readonly guarded: GuardedElement | undefined;
  readonly afterwards: boolean;
}

/** One query for due lanes of all elements; its result is dropped when lanes may have changed. */
function shareDueLanes(ctx: Ctx, network: LineNetwork) {
  let dueLanes: { readonly untilMs: number; readonly found: ReturnType<typeof find> } | undefined;
  const find = async (db: Db) => {
    const [lanes, paused] = await Promise.all([
      store.listDueLanes(db, orderTime(network, ctx), LANES_PER_QUERY),
      listPaused(db),
    ]);
    return lanes.filter(({ element }) => !paused.has(element));
  };
  return {
    find(db: Db) {
      if (dueLanes === undefined || performance.now() >= dueLanes.untilMs)
        dueLanes = { untilMs: performance.now() + SHARED_MS, found: find(db) };
      return dueLanes.found;
    },
    forget() {
      dueLanes = undefined;
    },
  };
}

type Lanes = LaneEngine<Lane, LeasedLane, ElementPool, OrderWorker>;

interface LaneDeps extends EngineDeps {
  readonly dueLanes: ReturnType<typeof shareDueLanes>;
  readonly isDue: IsDue;
  readonly onAnswers: OnAnswers;
}

function createLanes(ctx: Ctx, deps: LaneDeps): Lanes {
  const { dueLanes, isDue, onAnswers, network, elements, health = createHealth(), openMs } = deps;
  const pools: readonly ElementPool[] = [
    ...elements.map(({ element, afterwards }) => ({
      ...PLACES,
      guarded: guardElement(element, openMs === undefined ? {} : { openMs }),
      afterwards,
    })),
    { ...PLACES, guarded: undefined, afterwards: false },
  ];
  const byName = new Map(pools.map((pool) => [pool.guarded?.name, pool]));
  const poolOf = (element: string) => byName.get(element) ?? pools.at(-1)!;
  const carries = health.loop('network.carry-out', { occasional: true });
  const [claims, renewals] = [health.loop('network.claim'), health.loop('network.renew')];
  const lanes: Lanes = new LaneEngine(ctx, {
    name: 'orders to the network',
    pools,
    keyOf: laneKey,
    async listDue(db, pool) {
      if (pool.guarded?.isOpen === true) return [];
      return (await dueLanes.find(db)).filter(({ element }) => poolOf(element) === pool);
    },
    claim: async (_ecpdId, due, leaseToken) =>
      (await Promise.all(due.map((lane) => store.claimLane(ctx.db, lane, leaseToken)))).flat(),
    renew: (ecpdId, held) => store.renewLanes(ctx.db, ecpdId, held),
    async release(_ecpdId, held) {
      await Promise.all(held.map((lane) => store.releaseLane(ctx.db, lane)));
      dueLanes.forget();
    },
    work(lane, lease) {
      const { guarded: element, afterwards } = poolOf(lane.element);
      const onEnded: ConstructorParameters<typeof OrderWorker>[2]['onEnded'] = (orders, outcomes) => {
        onAnswers(lane.element, outcomes);
        lanes.ended(orders.map(({ moveNr }) => moveNr));
      };
      return new OrderWorker(lane, lease, { ctx, network, element, afterwards, carries, onEnded });
    },
    isDue,
    askMs: 50,
    loops: { claims, renewals, others: [carries] },
  });
  return lanes;
}

type IsDue = ReturnType<typeof timesOf>['isDue'];
type OnAnswers = (element: string, outcomes: readonly OrderOutcome[]) => void;

/** What a clock move waits for: only orders to the simulated network use domain time. */
function timesOfOrders(ctx: Ctx, network: LineNetwork) {
  if (network.time === 'domain') return timesOf(ctx, store.OPEN_ORDERS, store.findNextDue);
  return {
    isDue: async (step?: unknown) =>
      step === undefined && (await store.isAnyDue(ctx.db, orderTime(network, ctx))),
    nextDueAt: async () => undefined,
    countUnfinished: async () => 0,
  };
}

export function createOrderEngine(ctx: Ctx, deps: EngineDeps): OrderEngine {
  const counts = new Map(
    deps.elements.map(({ element }): [string, OrderCounts] => [
      element.name,
      { done: 0, later: 0, refused: 0, failed: 0 },
    ]),
  );
  const times = timesOfOrders(ctx, deps.network);
  const dueLanes = shareDueLanes(ctx, deps.network);
  const onAnswers: OnAnswers = (element, outcomes) => {
    const own = counts.get(element);
    if (own !== undefined) for (const { outcome } of outcomes) own[outcome]++;
  };
  const lanes = createLanes(ctx, { ...deps, dueLanes, isDue: times.isDue, onAnswers });
  return {
    counts,
    start() {
      deps.feed?.on(ORDER_CHANNEL, () => {
        dueLanes.forget();
        lanes.soon();
      });
      lanes.start();
    },
    async stop(graceMs) {
      await lanes.stop(graceMs);
      await Promise.all(deps.elements.map(({ element }) => element.close()));
    },
    settle: lanes.settle,
    watch: lanes.watch,
    nextDueAt: times.nextDueAt,
    countUnfinished: times.countUnfinished,
  };
}
