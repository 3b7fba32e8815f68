import { after } from 'node:test';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { createCallbackHttp } from '../../src/adapters/callback-http/index.ts';
import { createSimulatedNetwork } from '../../src/adapters/simulated-network/index.ts';
import { CHANNELS, compose } from '../../src/app/compose/compose.ts';
import { openNotificationSenders } from '../../src/app/notification-senders.ts';
import { type HostedScenarios, hostScenarios } from '../../src/app/scenarios.ts';
import { hostSimulator } from '../../src/app/simulator.ts';
import type { Surroundings } from '../../src/app/surroundings.ts';
import type { CheckListenerAddress, DeliveryEngine } from '../../src/features/callbacks/index.ts';
import type { PositionSource } from '../../src/features/locations/index.ts';
import type { OrderEngine } from '../../src/features/network/carrying/engine.ts';
import type { Channel, NotificationEngine, Sender } from '../../src/features/notifications/index.ts';
import type { AlertScheduler } from '../../src/features/smart-alerts/alert-scheduler.ts';
import type { createFileEngine } from '../../src/features/usage-files/engine.ts';
import { type Chance, trueChance } from '../../src/platform/chance/chance.ts';
import { openChance } from '../../src/platform/chance/open-chance.ts';
import { type MovableClock, movableClock } from '../../src/platform/clock/clock.ts';
import { parseSettings, type Settings } from '../../src/platform/config/settings.ts';
import { type Ctx, NO_REQUEST } from '../../src/platform/context/context.ts';
import { COST_MIN } from '../../src/platform/crypto/password-hash.ts';
import { generateSecretKey, openSecretBox } from '../../src/platform/crypto/secret-box.ts';
import { type Db, openDatabase } from '../../src/platform/db/db.ts';
import { openNotificationFeed } from '../../src/platform/db/listen.ts';
import type { DueWorkCheck } from '../../src/platform/health/due-work.ts';
import { createHealth, type Health, unreportedLoop } from '../../src/platform/health/health.ts';
import type { JobEngine } from '../../src/platform/jobs/engine.ts';
import type { JobKind } from '../../src/platform/jobs/job.ts';
import { WorkerWatch } from '../../src/platform/sharding/index.ts';
import { createLog, type Log } from '../../src/platform/telemetry/log.ts';
import type { Tracing } from '../../src/platform/telemetry/tracing/tracing.ts';
import { checkNumbers, isOnCluster } from './citus.ts';
import { createTestDatabase, distributionOfTests } from './database.ts';
import { keptScenarios } from './kept-scenarios.ts';
import { keptSnapshots } from './kept-snapshots.ts';

export const OPERATOR_KEY = 'operator-key-for-tests';
/** 5 January 2026 is a Monday. */
export const START = new Date('2026-01-05T00:00:00Z');

export interface World {
  readonly api: FastifyInstance;
  readonly ctx: Ctx;
  readonly clock: MovableClock;
  readonly engine: JobEngine;
  readonly delivery: DeliveryEngine;
  readonly notifier: NotificationEngine;
  readonly watcher: AlertScheduler;
  /** Only if lines have a network. */
  readonly orders: OrderEngine | undefined;
  /** Only if folders are watched. */
  readonly files: ReturnType<typeof createFileEngine> | undefined;
  readonly dueWork: DueWorkCheck;
  readonly health: Health;
  readonly databaseUrl: string;
  /** Only if scenarios can be played; it needs the address of the service first. */
  readonly scenarios: HostedScenarios | undefined;
  /** Advances domain time by this much without running due work. */
  pass(ms: number): void;
  operator(method: string, path: string, body?: unknown, headers?: Record<string, string>): Inject;
  import(document: object): Promise<Record<string, number>>;
}
type Inject = ReturnType<FastifyInstance['inject']> & Promise<Awaited<ReturnType<FastifyInstance['inject']>>>;

function chanceWith(newId: () => string): Chance {
  const chance: Chance = { ...trueChance, newId, of: () => chance };
  return chance;
}

function tickingClock(): MovableClock {
  const clock = movableClock();
  const now = () => {
    const at = clock.now();
    clock.holdAt(new Date(at.getTime() + 1));
    return at;
  };
  return { ...clock, now };
}

interface Wanted {
  databaseUrl?: string;
  env?: NodeJS.ProcessEnv;
  jobs?: readonly JobKind[];
  /** Overrides that turn a few into many, or a short time into a long one. */
  limits?: Surroundings['limits'];
  otherNodes?: () => number;
  /** Whether the real clock agrees with the database's. */
  clockIsRight?: () => boolean;
  settings?: Partial<Settings>;
  secretKey?: string;
  /** Instead of the simulated network: a source controlled by the test. */
  positionSource?: PositionSource;
  /** Instead of the simulated network: elements controlled by the test. */
  elements?: Surroundings['elements'];
  /** Folders that receive usage records as files. */
  folders?: Surroundings['folders'];
  ways?: Partial<Record<Channel, Sender>>;
  /** Used as the replica by routes that may read from one. */
  replica?: (primary: Db) => Db;
  tracing?: Tracing;
  /** Instead of resolving host names of listeners. */
  checkAddress?: CheckListenerAddress;
  /** The clock runs: it advances a millisecond with each read. */
  ticks?: boolean;
  /** The clock is real until it is moved, and due work runs automatically, as in a service. */
  runs?: boolean;
  /** Instead of random ids. */
  newId?: () => string;
  /** The simulator answers, but does not run. */
  simulator?: boolean;
  /** Scenarios can be played, or it answers as if one had been played. */
  scenarios?: 'played' | 'kept';
  /** It answers as if it kept snapshots. */
  snapshots?: boolean;
  /** On a cluster, it checks which workers answer. */
  checksWorkers?: boolean;
  /** The time limit of a listener, instead of the default, which is long for a test. */
  attemptMs?: number;
  /** How long a statement waits for a lock, also shortened. */
  lockTimeoutMs?: number;
}

/** The runner keeps a hook, and everything it references, until its process ends. */
function closeAfter(close: () => Promise<void>): void {
  let left: typeof close | undefined = close;
  after(async () => {
    const last = left;
    left = undefined;
    await last?.();
  });
}

function scenariosOf({ scenarios }: Wanted, log: Log): HostedScenarios | undefined {
  if (scenarios === undefined) return undefined;
  return scenarios === 'played' ? hostScenarios(log) : keptScenarios(START);
}

async function openService(options: Wanted) {
  const own = options.databaseUrl === undefined ? await createTestDatabase() : undefined;
  const databaseUrl = options.databaseUrl ?? own!.url;
  const settings = {
    ...parseSettings({ LINEKEEPER_LOG_LEVEL: 'silent', ...options.env }),
    passwordCost: COST_MIN,
    ...options.settings,
  };
  const log = createLog(process.env['TEST_LOG'] ?? 'silent');
  const workers = new WorkerWatch();
  const db = openDatabase(databaseUrl, {
    connections: options.checksWorkers === true ? 8 : 5,
    distribution: distributionOfTests(workers.servers),
    ...(options.lockTimeoutMs !== undefined && { lockTimeoutMs: options.lockTimeoutMs }),
  });
  const clock = options.ticks === true ? tickingClock() : movableClock();
  if (options.runs !== true) clock.holdAt(START);
  const secrets = openSecretBox(options.secretKey ?? generateSecretKey(), settings.seed);
  const chance = options.newId ? chanceWith(options.newId) : await openChance(db, settings.seed);
  const ctx: Ctx = {
    ...{
      db,
      clock,
      now: clock.now,
      newId: chance.newId,
      chance,
      log,
      secrets,
      hashCost: settings.passwordCost,
    },
    requestId: NO_REQUEST,
    actor: { kind: 'system', name: 'test' },
  };
  const feed = await openNotificationFeed(databaseUrl, CHANNELS);
  if (options.checksWorkers === true) await workers.start({ db, loop: unreportedLoop, log });
  const otherNodes = options.otherNodes ?? (() => 0);
  const nodes = {
    countOthers: async () => otherNodes(),
    holdAlone: async () => otherNodes() === 0,
    clockIsRight: options.clockIsRight ?? (() => true),
  };
  const callbackHttp = createCallbackHttp({
    allow: settings.callbackAllow,
    limits: { ...(options.attemptMs !== undefined && { attemptMs: options.attemptMs }) },
  });
  const senders = await openNotificationSenders(settings);
  const health = createHealth();
  const scenarios = scenariosOf(options, log);
  const parts = await compose({
    settings,
    ctx,
    ...(options.replica && { replica: { db: options.replica(db), measure() {}, close: async () => {} } }),
    movableClock: settings.sandbox ? clock : undefined,
    feed,
    nodes,
    health,
    operatorKey: OPERATOR_KEY,
    callbackHttp: { ...callbackHttp, ...(options.checkAddress && { checkAddress: options.checkAddress }) },
    positionSource:
      options.positionSource ??
      (settings.sandbox ? createSimulatedNetwork(ctx, { seed: settings.simulatorSeed }) : undefined),
    ...(options.elements && { elements: options.elements }),
    ...(options.folders && { folders: options.folders }),
    ways: { ...senders, ...options.ways },
    ...(options.simulator && { simulator: hostSimulator(ctx, settings) }),
    scenarios,
    ...(options.snapshots && { snapshots: keptSnapshots(() => ctx) }),
    ...(options.jobs && { jobs: options.jobs }),
    ...(options.limits && { limits: options.limits }),
    ...(options.tracing && { tracing: options.tracing }),
  });
  const { api, engine, delivery, notifier, watcher, orders, files, dueWork } = parts;
  if (options.runs === true) {
    await engine.start();
    for (const worker of [delivery, notifier, watcher, orders]) worker?.start();
  }
  closeAfter(async () => {
    await workers.stop();
    await scenarios?.close();
    if (options.runs === true) await watcher.stop();
    await api.close();
    await dueWork.stop();
    await engine.stop(1_000);
    await delivery.stop();
    await notifier.stop(1_000);
    await orders?.stop(1_000);
    await files?.stop(10_000);
    await watcher.stop();
    await senders.close();
    await callbackHttp.close();
    await parts.stop();
    await feed.close();
    await db.close();
    try {
      if (isOnCluster() && own !== undefined) await checkNumbers(databaseUrl);
    } finally {
      await own?.drop();
    }
  });
  return {
    basePath: settings.basePath,
    ...{ api, ctx, clock, engine, delivery, notifier, watcher, orders, files, dueWork, health, databaseUrl },
    scenarios,
  };
}

/** The module of a test file also keeps its world, which is large. */
function letGoAfter(world: World): void {
  const large = ['api', 'engine', 'delivery', 'notifier', 'watcher', 'dueWork'] satisfies (keyof World)[];
  after(() => void Object.assign(world, Object.fromEntries(large.map((part) => [part, undefined]))));
}

/** The service in this process on its own database, with a clock that only the test moves. Closed when the file ends. */
export async function makeWorld(wanted: Wanted = {}): Promise<World> {
  const { basePath, ...service } = await openService(wanted);
  const world: World = {
    ...service,
    pass: (ms) => world.clock.holdAt(new Date(world.clock.now().getTime() + ms)),
    operator: (method, path, body, headers = {}) =>
      world.api.inject({
        method: method as NonNullable<InjectOptions['method']>,
        url: `${basePath}/operator/v1${path}`,
        headers: { authorization: `Bearer ${OPERATOR_KEY}`, ...headers },
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      }) as Inject,
    async import(document) {
      const answer = await world.operator('POST', '/import', document);
      if (answer.statusCode !== 200) throw new Error(`import refused: ${answer.body}`);
      return answer.json().counts;
    },
  };
  letGoAfter(world);
  return world;
}
