import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { findAccountByName, listAccountNames } from '../features/accounts/index.ts';
import {
  CALLBACK_CHANNEL,
  type CheckAddressText,
  type CheckListenerAddress,
  createDeliveryEngine,
  type DeliveryEngine,
  type SendCallback,
} from '../features/callbacks/index.ts';
import type { RequestLimits } from '../features/carrier-requests/index.ts';
import { authenticateViewers } from '../features/console/index.ts';
import type { PositionSource } from '../features/locations/index.ts';
import {
  type Channel,
  createNotificationEngine,
  NOTIFICATION_CHANNEL,
  type NotificationEngine,
  type Sender,
} from '../features/notifications/index.ts';
import { authenticateOperators, MOVED_ALONE, operatorFinder } from '../features/operator/index.ts';
import { ACCESS_CHANNEL, authenticateCallers, createLiveAccess } from '../features/sessions/index.ts';
import type { AlertScheduler } from '../features/smart-alerts/index.ts';
import { type MovableClock, realClock } from '../platform/clock/clock.ts';
import { type ClockMover, createClockMover, type FindObstacle } from '../platform/clock/clock-mover.ts';
import type { Settings } from '../platform/config/settings.ts';
import type { Ctx } from '../platform/context/context.ts';
import type { NotificationFeed } from '../platform/db/listen.ts';
import { createDueWorkCheck, type DueWorkCheck } from '../platform/health/due-work.ts';
import type { Health } from '../platform/health/health.ts';
import type { NodeRegistry } from '../platform/health/nodes.ts';
import { openStaticSite, type StaticSite } from '../platform/http/static-files.ts';
import { createJobEngine, type JobEngine } from '../platform/jobs/engine.ts';
import type { JobKind } from '../platform/jobs/job.ts';
import { JOB_CHANNEL } from '../platform/jobs/sql.ts';
import { createMetrics, type Metrics } from '../platform/telemetry/metrics.ts';
import { noTracing, type Tracing } from '../platform/telemetry/tracing/tracing.ts';
import { jobKinds } from './background.ts';
import { buildApi } from './build-api.ts';
import { composeCarrier } from './compose-carrier.ts';
import { composeFeeds } from './compose-feeds.ts';
import { composeLocations, type LocationLimits } from './compose-locations.ts';
import { composeTriggers } from './compose-triggers.ts';
import { measureDelivery, measureHealth, measureLocations, measureProcess } from './metrics.ts';
import { mounts } from './mounts.ts';
import type { Replica } from './replica.ts';
import { fleetSectionsWith } from './sections.ts';
import type { HostedSimulator } from './simulator.ts';
import { VERSION } from './version.ts';

/** What the parts of the service hear from the database. */
export const CHANNELS = [ACCESS_CHANNEL, CALLBACK_CHANNEL, JOB_CHANNEL, NOTIFICATION_CHANNEL];

export interface Surroundings {
  readonly settings: Settings;
  readonly ctx: Ctx;
  /** Where some lists may be read from. */
  readonly replica?: Replica | undefined;
  /** The clock of `ctx` where it can be moved: in the sandbox. */
  readonly movableClock: MovableClock | undefined;
  readonly feed: NotificationFeed;
  readonly nodes: Pick<NodeRegistry, 'countOthers' | 'clockIsRight' | 'holdAlone'>;
  readonly health: Health;
  readonly operatorKey: string;
  /** The way out to listeners. */
  readonly callbackHttp: {
    readonly send: SendCallback;
    readonly checkAddress: CheckListenerAddress;
    readonly checkAddressText: CheckAddressText;
  };
  /** Who knows where devices are; without one only the cache does. */
  readonly positionSource: PositionSource | undefined;
  /** What sends mail and SMS. */
  readonly ways: Readonly<Record<Channel, Sender>>;
  /** The living fleet: in a sandbox of one process. */
  readonly simulator?: HostedSimulator | undefined;
  readonly jobs?: readonly JobKind[];
  /** Where fewer than usual are many, or less is long. */
  readonly limits?: {
    readonly requests?: RequestLimits;
    readonly locations?: LocationLimits;
    readonly livePollMs?: number;
  };
  readonly tracing?: Tracing;
}

export interface Parts {
  readonly api: FastifyInstance;
  readonly engine: JobEngine;
  readonly delivery: DeliveryEngine;
  readonly notifier: NotificationEngine;
  readonly watcher: AlertScheduler;
  readonly mover: ClockMover | undefined;
  readonly metrics: Metrics;
  readonly dueWork: DueWorkCheck;
  /** Ends what the parts do by themselves; the engine has a stop of its own, with a grace time. */
  stop(): Promise<void>;
}

/** What `npm ci` or `npm start` has built; see clients/console. */
const CONSOLE_FOLDER = fileURLToPath(new URL('../../clients/console/dist', import.meta.url));

/** A worker serves no requests of people. */
function readConsole({ console, role, basePath }: Settings, { log }: Ctx): StaticSite | undefined {
  if (!console || role === 'worker') return undefined;
  const site = openStaticSite(CONSOLE_FOLDER, { __LINEKEEPER_BASE__: basePath });
  if (site === undefined) log.warn('the console was not built: npm start builds it');
  return site;
}

/** Puts the service together from its surroundings, without starting anything that works by itself. */
export async function compose({
  settings,
  ctx: given,
  replica,
  movableClock,
  feed,
  nodes,
  health,
  operatorKey,
  callbackHttp,
  positionSource,
  ways,
  simulator,
  jobs,
  limits = {},
  tracing = noTracing,
}: Surroundings): Promise<Parts> {
  const ctx: Ctx = { ...given, clock: { ...given.clock, isRight: nodes.clockIsRight } };
  const metrics = createMetrics();
  replica?.measure(metrics);
  measureProcess(metrics, settings);
  const carrier = composeCarrier((...moved) => triggers.evaluator.evaluateMove(...moved), {
    countAlerts: (...alerts) => feeds.readings.count(...alerts),
    limits: limits.requests,
  });
  const actions = { workJob: carrier.workJob, devicesMax: settings.actionDevicesMax };
  const triggers = composeTriggers(metrics, actions);
  const locations = composeLocations(
    settings,
    positionSource,
    triggers.evaluator.watchServices,
    ctx.log,
    limits.locations,
  );
  measureLocations(metrics, locations.locator);
  const ticks = simulator === undefined ? [] : [simulator.job(() => mover?.movingTo())];
  const engine = createJobEngine(
    ctx,
    jobs ?? [...jobKinds(settings, locations, carrier, triggers), ...ticks],
    { feed, health, tracing },
  );
  const delivery = createDeliveryEngine(ctx, {
    send: callbackHttp.send,
    userAgent: `Linekeeper/${VERSION}`,
    withhold: locations.withhold,
    feed,
    health,
    tracing,
  });
  if (settings.role !== 'api') measureDelivery(metrics, delivery, ctx);
  const notifier = createNotificationEngine(ctx, { senders: ways, feed, health, tracing });
  const { feeds, watcher } = composeFeeds(ctx, settings, { evaluator: triggers.evaluator, metrics, health });
  const findObstacle: FindObstacle = async (tx) => {
    // Nothing would be claimed, and a move is over only when all is done.
    if (!nodes.clockIsRight()) return "the real one differs from the database's";
    return (await nodes.holdAlone(tx)) ? undefined : MOVED_ALONE;
  };
  const mover: ClockMover | undefined =
    movableClock &&
    createClockMover(ctx.db, movableClock, [engine, watcher, delivery, notifier], {
      findObstacle,
      onError: (error) => ctx.log.error({ err: error }, 'the clock could not be moved on; it is tried again'),
    });
  const dueWork = createDueWorkCheck(ctx, health, {
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
  measureHealth(metrics, health, settings.role === 'api' ? undefined : dueWork);
  const access = createLiveAccess(
    ctx.db,
    feed,
    (error) => ctx.log.error({ err: error }, 'session use was not recorded'),
    health.loop('sessions.record'),
  );
  const sessionHeader = `${settings.prefix}-M2M-Token`;
  const clock = {
    mover,
    worksAll: settings.role === 'all',
    countOtherNodes: nodes.countOthers,
    waitMs: settings.advanceWaitMs,
    async afterReset() {
      await engine.addRecurring();
      await simulator?.resume();
    },
  };
  const viewers = {
    findOperator: operatorFinder(operatorKey, simulator?.operatorKey),
    realNow: realClock.now,
  };
  const api = await buildApi({
    ...settings,
    ctx,
    replica: replica?.db,
    sessionHeader,
    metrics,
    tracing,
    health,
    site: readConsole(settings, ctx),
    // A worker serves its health and metrics only.
    mounts:
      settings.role === 'worker'
        ? []
        : mounts({
            prefix: settings.prefix,
            checkAddress: callbackHttp.checkAddress,
            locations,
            carrier,
            sessions: { ...settings, sessionHeader, heardChanges: feed.catchUp },
            console: settings.console
              ? {
                  signIn: {
                    ...viewers,
                    policy: settings,
                    cookiePath: settings.basePath === '' ? '/' : settings.basePath,
                    secureCookie: settings.secureCookie,
                    sandbox: settings.sandbox,
                    version: VERSION,
                  },
                  checkAddress: callbackHttp.checkAddress,
                  withhold: locations.withhold,
                  locations,
                  mover,
                  health,
                  livePollMs: limits.livePollMs,
                }
              : undefined,
            operator: {
              sections: fleetSectionsWith(callbackHttp.checkAddressText),
              clock,
              feeds,
              heardChanges: feed.catchUp,
              withhold: locations.withhold,
              relocate: settings.sandbox ? locations.relocate : undefined,
              simulator,
            },
          }),
    authentication: {
      ...authenticateCallers(access, sessionHeader),
      ...authenticateOperators(viewers.findOperator),
      ...authenticateViewers(viewers, sessionHeader),
      ...(settings.console ? {} : { hasCookie: () => false }),
      findTenant: ({ db }, accountName) => findAccountByName(db, accountName),
      listAccountsOf: ({ db }, ecpdId) => listAccountNames(db, ecpdId),
    },
  });
  return { api, engine, delivery, notifier, watcher, dueWork, mover, metrics, stop: access.stop };
}
