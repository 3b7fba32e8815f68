import { createDeliveryEngine } from '../../features/callbacks/index.ts';
import { createOrderEngine } from '../../features/network/index.ts';
import { createNotificationEngine } from '../../features/notifications/index.ts';
import { MOVED_ALONE } from '../../features/operator/index.ts';
import { nextCycleEnd } from '../../features/trigger-evaluation/index.ts';
import { createFileEngine } from '../../features/usage-files/index.ts';
import { type ClockMover, createClockMover } from '../../platform/clock/clock-mover.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { createDueWorkCheck } from '../../platform/health/due-work.ts';
import { createJobEngine, type JobEngine } from '../../platform/jobs/engine.ts';
import type { JobKind } from '../../platform/jobs/job.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import { noTracing } from '../../platform/telemetry/tracing/tracing.ts';
import { jobKinds } from '../background.ts';
import {
  countFiles,
  measureDelivery,
  measureFeeds,
  measureHealth,
  measureNetwork,
  measureWorkers,
} from '../metrics.ts';
import { knownFeeds } from '../network/network-feeds.ts';
import type { Surroundings } from '../surroundings.ts';
import { USER_AGENT } from '../version.ts';
import type { Domain } from './compose-domain.ts';
import { composeRadius } from './compose-radius.ts';

type WorkEngines = ReturnType<typeof composeWork>;

/** The engines for background work: jobs, callbacks, mail and SMS. */
function composeWork(
  ctx: Ctx,
  around: Surroundings,
  { locations, carrier, triggers, watcher, lines, feeds }: Domain,
  metrics: Metrics,
  mover: () => ClockMover | undefined,
) {
  const { settings, feed, health, callbackHttp, ways, simulator, jobs, tracing = noTracing } = around;
  const { folders = [] } = around;
  const ticks = {
    mover,
    async nextDueAt(after: Date): Promise<Date | undefined> {
      const nr = ctx.clock.move()?.nr ?? ctx.clock.moveNr();
      const [jobAt, cycleEnd] = await Promise.all([
        engine.nextDueAt({ nr, after }),
        nextCycleEnd(ctx.db, after),
      ]);
      return jobAt === undefined || (cycleEnd !== undefined && cycleEnd < jobAt) ? cycleEnd : jobAt;
    },
    jobsDone: (): number =>
      kinds.reduce(
        (sum, { kind, everyMs }) => sum + (everyMs === undefined ? (engine.counts.get(kind)?.done ?? 0) : 0),
        0,
      ),
  };
  const kinds: readonly JobKind[] = jobs ?? [
    ...jobKinds(settings, locations, carrier, triggers, lines),
    ...(simulator === undefined ? [] : [simulator.job(ticks)]),
  ];
  const shared = { feed, health, tracing };
  // Reproducible runs must not depend on which of two jobs is faster.
  const engine: JobEngine = createJobEngine(ctx, kinds, { ...shared, oneAtATime: ctx.chance.repeats });
  return {
    engine,
    delivery: createDeliveryEngine(ctx, {
      ...shared,
      send: callbackHttp.send,
      userAgent: USER_AGENT,
      withhold: locations.withhold,
    }),
    notifier: createNotificationEngine(ctx, { ...shared, senders: ways }),
    watcher,
    orders: lines && createOrderEngine(ctx, { feed, health, ...lines }),
    files:
      folders.length === 0
        ? undefined
        : createFileEngine(ctx, { folders, policy: feeds.usage, health, onFile: countFiles(metrics) }),
  };
}

/** For the sandbox: moves the clock, and waits at each step for all background work. */
const composeMover = (
  { db, log }: Ctx,
  { movableClock, nodes }: Surroundings,
  { engine, watcher, delivery, notifier, orders }: WorkEngines,
): ClockMover | undefined =>
  movableClock &&
  createClockMover(db, movableClock, [engine, watcher, delivery, notifier, ...(orders ? [orders] : [])], {
    async findObstacle(tx) {
      // Nothing would be claimed, and a move ends only when everything is done.
      if (!nodes.clockIsRight()) return "the real one differs from the database's";
      return (await nodes.holdAlone(tx)) ? undefined : MOVED_ALONE;
    },
    onError: (error) => log.error({ err: error }, 'the clock could not be advanced; retrying'),
  });

const composeDueWork = (
  ctx: Ctx,
  { settings, health }: Surroundings,
  { engine, delivery, notifier, watcher }: WorkEngines,
) =>
  createDueWorkCheck(ctx, health, {
    kinds: {
      jobs: engine.findOldestDue,
      callbacks: delivery.findOldestDue,
      mail: (db) => notifier.findOldestDue(db, 'mail'),
      sms: (db) => notifier.findOldestDue(db, 'sms'),
      rules: watcher.findOldestDue,
    },
    maxAgeMs: settings.dueWorkMaxAgeMs,
    isMoving: () => ctx.clock.move() !== undefined,
  });

/** All background work, the mover of its clock, and the check for work that no process does. */
export function composeEngines(ctx: Ctx, around: Surroundings, domain: Domain, metrics: Metrics) {
  const work = composeWork(ctx, around, domain, metrics, () => mover);
  const mover = composeMover(ctx, around, work);
  const dueWork = composeDueWork(ctx, around, work);
  const isApi = around.settings.role === 'api';
  if (!isApi) measureDelivery(metrics, work.delivery, ctx);
  if (!isApi && domain.lines !== undefined) measureNetwork(metrics, ctx, domain.lines, work.orders);
  if (!isApi) measureFeeds(metrics, ctx, knownFeeds(around.settings.network));
  measureHealth(metrics, around.health, isApi ? undefined : dueWork);
  measureWorkers(metrics, ctx.db.servers);
  const radius = isApi
    ? undefined
    : composeRadius(ctx, around.settings.network?.feeds.radius, {
        policy: domain.feeds.usage,
        metrics,
        health: around.health,
      });
  return { ...work, mover, dueWork, radius };
}

export type Engines = ReturnType<typeof composeEngines>;
