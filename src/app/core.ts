import { createSimulatedNetwork } from '../adapters/simulated-network/index.ts';
import type { FaultRules } from '../features/injected-faults/index.ts';
import type { Snapshots } from '../features/operator/index.ts';
import type { Settings } from '../platform/config/settings.ts';
import type { Ctx } from '../platform/context/context.ts';
import type { Front } from '../platform/http/front.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { Tracing } from '../platform/telemetry/tracing/tracing.ts';
import { compose, type Parts } from './compose/compose.ts';
import { hasDemoFleet } from './load-demo.ts';
import { measureConnections, measureNotifications } from './metrics.ts';
import { openFolders } from './network/network-feeds.ts';
import { openNotificationSenders } from './notification-senders.ts';
import { type DomainGround, type Opening, prepareDomain } from './open-domain.ts';
import type { HostedScenarios } from './scenarios.ts';
import type { Shutdown } from './shutdown.ts';
import { hostSimulator, type RunningSimulator } from './simulator.ts';
import { moveOn } from './starting-clock.ts';

/** Time limit for work in flight at a stop; afterwards it is handed back. */
export const GRACE_MS = 10_000;

/** The parts that stay while the core is replaced. */
export interface Ground extends DomainGround {
  readonly stopping: AbortSignal;
  readonly tracing: Tracing;
  readonly front: Front;
  /** Set for the embedded database. */
  readonly snapshots?: Snapshots | undefined;
  readonly faultRules?: FaultRules;
  readonly scenarios?: HostedScenarios | undefined;
}

/** The whole service between its database and its port. */
export interface Core {
  readonly ctx: Ctx;
  readonly operatorKey: string;
  readonly answers: Parts['api']['routing'];
  /** The state of the simulated fleet, if there is one. */
  simulator(): RunningSimulator | undefined;
  hasDemoFleet(): Promise<boolean>;
  /** Starts background work, after the port is open. */
  begin(url: string, simulator?: RunningSimulator): Promise<void>;
}

/** A core that has not opened its database yet. */
export interface PreparedCore {
  /** Composes everything that needs no database in advance; otherwise `open` does it. */
  compose(): Promise<unknown>;
  /** Call it once. */
  open(opening: Opening): Promise<Core>;
}

/** Its `shutdown` ends it, even if it was not opened or not completely. */
export async function prepareCore(
  settings: Settings,
  log: Log,
  shutdown: Shutdown,
  ground: Ground,
): Promise<PreparedCore> {
  const { stopping } = ground;
  const { db, fleetSections, open, ...domain } = await prepareDomain(settings, log, shutdown, ground);
  const { ctx, operatorKey } = domain;
  const put = async () => {
    const composed = await composeCore(settings, shutdown, ground, domain);
    measureConnections(composed.parts.metrics, db);
    return composed;
  };
  let composing: ReturnType<typeof put> | undefined;
  const compose = () => {
    composing ??= put();
    return composing;
  };
  return {
    compose,
    async open(opening) {
      const { filled, letClockRun } = await open(opening);
      const { parts, simulator, missing } = await compose();
      stopping.throwIfAborted();
      await filled;
      stopping.throwIfAborted();
      if (settings.role !== 'api') await startWorkers(ctx, parts, shutdown, missing);
      return {
        ctx,
        operatorKey,
        answers: parts.api.routing,
        simulator: () => simulator?.read(),
        hasDemoFleet: () => hasDemoFleet(ctx, fleetSections),
        async begin(url, running) {
          if (simulator !== undefined) {
            shutdown.addWorker('living fleet', simulator.stop);
            await simulator.begin(url, running);
          }
          if (settings.role === 'all') await moveOn(parts, ctx, opening.settings.now);
          await letClockRun?.();
        },
      };
    },
  };
}

/** The content of the network file. Without one, no code for elements is loaded. */
async function openNetwork(ctx: Ctx, settings: Settings) {
  const { network } = settings;
  if (network === undefined) return {};
  const [{ openPositions }, { openElements }] = await Promise.all([
    import('./network/network-positions.ts'),
    import('./network/network-elements.ts'),
  ]);
  return {
    positions: openPositions(ctx, network),
    elements: openElements(network, ctx),
    folders: openFolders(settings),
  };
}

type Prepared = Omit<Awaited<ReturnType<typeof prepareDomain>>, 'db' | 'fleetSections' | 'open'>;

async function composeCore(settings: Settings, shutdown: Shutdown, ground: Ground, domain: Prepared) {
  const { tracing, front, snapshots, faultRules, scenarios } = ground;
  const { ctx } = domain;
  const simulator = settings.sandbox && settings.role === 'all' ? hostSimulator(ctx, settings) : undefined;
  const senders = await openNotificationSenders(settings);
  shutdown.add('mail and SMS', senders.close);
  const { positions, elements, folders } = await openNetwork(ctx, settings);
  if (positions !== undefined) shutdown.add('position sources', positions.close);
  const positionSource =
    positions?.source ??
    (settings.sandbox ? createSimulatedNetwork(ctx, { seed: settings.simulatorSeed }) : undefined);
  const parts = await compose({
    ...domain,
    ...{
      settings,
      positionSource,
      elements,
      folders,
      ways: senders,
      simulator,
      tracing,
      front,
      snapshots,
      faultRules,
      scenarios,
    },
  });
  shutdown.add('uses of sessions', parts.stop);
  // Stops together with the workers, because it ends event streams, which do not end on their own.
  shutdown.addWorker('routes', () => parts.api.close());
  return { parts, simulator, missing: senders.missing };
}

async function startWorkers(
  ctx: Ctx,
  { metrics, engine, delivery, notifier, watcher, orders, files, radius, dueWork, mover }: Parts,
  shutdown: Shutdown,
  missingSettings: readonly string[],
): Promise<void> {
  metrics.measureJobs(engine, () => engine.countUnfinished(ctx.now()));
  await engine.start();
  shutdown.addWorker('jobs', () => engine.stop(GRACE_MS));
  delivery.start();
  shutdown.addWorker('callbacks', delivery.stop);
  for (const setting of missingSettings)
    ctx.log.warn({ setting }, 'not set: notifications that need it are recorded as failed');
  measureNotifications(metrics, notifier);
  notifier.start();
  shutdown.addWorker('notifications', () => notifier.stop(GRACE_MS));
  orders?.start();
  shutdown.addWorker('orders to the network', async () => orders?.stop(GRACE_MS));
  files?.start();
  shutdown.addWorker('files of usage', async () => files?.stop(GRACE_MS));
  await radius?.start();
  shutdown.addWorker('RADIUS accounting', async () => radius?.stop());
  watcher.start();
  shutdown.addWorker('smart alerts', watcher.stop);
  dueWork.start();
  shutdown.addWorker('due work', dueWork.stop);
  shutdown.addWorker('clock', async () => mover?.stop());
}
